;;; session.el --- A session of Emacs with eglot -*- lexical-binding: t -*-

;; Evaluates the lines of the instructions in $README, opens a file, and prints what Emacs shows of the server's answers.

(package-initialize)

(with-temp-buffer
  (insert-file-contents (getenv "README"))
  (while (re-search-forward "^```elisp\n\\(\\(?:.*\n\\)*?\\)```" nil t)
    (eval (car (read-from-string (concat "(progn " (match-string 1) ")"))) t)))

(setq eglot-sync-connect 20
      eglot-confirm-server-initiated-edits nil)

(defun say (&rest words)
  (princ (apply #'format words))
  (terpri))

(defun wait-for (what)
  "Return the result of WHAT as soon as it is not nil."
  (let ((end (+ (float-time) 20)) found)
    (while (and (not (setq found (funcall what))) (< (float-time) end))
      (accept-process-output nil 0.05))
    found))

(defun after (text)
  (goto-char (point-min))
  (search-forward text))

(defun ask (method &rest more)
  (jsonrpc-request (eglot--current-server-or-lose) method (append (eglot--TextDocumentPositionParams) more)))

(defun problem (diagnostic)
  (format "  line %d: %s"
          (line-number-at-pos (flymake-diagnostic-beg diagnostic))
          (car (split-string (flymake-diagnostic-text diagnostic) "\n"))))

(find-file "main.tf")
;; Emacs connects after the command that opens the file.
(run-hooks 'post-command-hook)
(say "%s" (if (eglot-managed-p) "the server manages the document" "the server does not answer"))

(flymake-start)
;; The settings come after the first diagnostics.
(wait-for (lambda () (= 1 (length (flymake-diagnostics)))))
(say "diagnostics")
(dolist (line (sort (mapcar #'problem (flymake-diagnostics)) #'string<))
  (say "%s" line))

(after "var.reg")
(say "hover\n%s" (plist-get (plist-get (ask :textDocument/hover) :contents) :value))
(say "definition line %d" (progn (call-interactively #'xref-find-definitions) (line-number-at-pos)))

(goto-char (point-max))
(insert "locals {\n  region = var.")
(save-excursion (insert "\n}\n"))
(let ((found (eglot-completion-at-point)))
  (say "completion %s" (all-completions "" (nth 2 found))))
(completion-at-point)
(say "completed %s" (buffer-substring (line-beginning-position) (line-end-position)))

(after "var.reg")
(eglot-rename "zone")
(say "renamed\n%s" (buffer-string))

(goto-char (point-min))
(insert "a   =    1\n")
(eglot-format-buffer)
(say "formatted %s" (buffer-substring (point-min) (save-excursion (goto-char (point-min)) (line-end-position))))

(set-buffer-modified-p nil)
(eglot-shutdown (eglot--current-server-or-lose))
;;; session.el ends here
