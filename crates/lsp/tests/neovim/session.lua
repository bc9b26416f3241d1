-- Asks the server what an editor asks, in three languages, and prints the answers. The program is in $HCL.

local function say(text)
  io.stdout:write(text .. "\n")
end

local function fail(text)
  say(text)
  vim.cmd("cquit 1")
end

local function start(folder)
  local id = vim.lsp.start_client({
    name = "hcl",
    cmd = { vim.env.HCL, "lsp" },
    root_dir = vim.fn.getcwd() .. "/" .. folder,
  })
  return id or fail("the server does not start")
end

local function open(id, path)
  vim.cmd("edit " .. path)
  vim.lsp.buf_attach_client(0, id)
  local ready = vim.wait(20000, function()
    local client = vim.lsp.get_client_by_id(id)
    return client and client.initialized and vim.lsp.buf_is_attached(0, id)
  end, 10)
  if not ready then fail("the server does not answer") end
end

-- Asks about the place after the first text that is found.
local function ask(method, text, more)
  vim.fn.cursor(1, 1)
  if text and vim.fn.search("\\V" .. text, "ceW") == 0 then fail("there is no " .. text) end
  local params = vim.lsp.util.make_position_params(0, "utf-16")
  -- The cursor is on the last character of the text: in normal mode it cannot be behind the end of a line.
  if text then params.position.character = params.position.character + 1 end
  for name, value in pairs(more or {}) do params[name] = value end
  local answers, why = vim.lsp.buf_request_sync(0, method, params, 20000)
  if not answers then fail(method .. ": " .. tostring(why)) end
  for _, answer in pairs(answers) do
    if answer.error then return nil, answer.error.message end
    return answer.result
  end
end

local function diagnostics()
  vim.wait(20000, function() return #vim.diagnostic.get(0) > 0 end, 10)
  local found = {}
  for _, one in ipairs(vim.diagnostic.get(0)) do
    table.insert(found, string.format("  %d:%d %s", one.lnum + 1, one.col + 1, vim.split(one.message, "\n")[1]))
  end
  table.sort(found)
  return found
end

-- An answer in a few words.
local function short(answer)
  if type(answer) ~= "table" then return "none" end
  local list = answer.data or answer.items or answer
  if vim.tbl_isempty(list) then return "none" end
  if #list == 0 then return answer.language or answer.placeholder or "one" end
  local first = list[1]
  local word = type(first) == "table" and (first.title or first.name or first.label or (first.command and first.command.title))
  return #list .. (word and (", " .. word) or "")
end

local function look(folder, path, word, member)
  say(path)
  local id = start(folder)
  open(id, folder .. "/" .. path)
  say("diagnostics")
  for _, line in ipairs(diagnostics()) do say(line) end
  local hover = ask("textDocument/hover", word)
  say("hover\n  " .. hover.contents.value:gsub("\n", "\n  "))
  local places = ask("textDocument/definition", word)
  local place = places[1].targetSelectionRange or places[1].range
  say("definition " .. place.start.line + 1)
  local used = ask("textDocument/references", word, { context = { includeDeclaration = true } })
  say("references " .. #used)
  local edit = ask("textDocument/rename", word, { newName = "other" })
  vim.lsp.util.apply_workspace_edit(edit, "utf-16")
  say("renamed")
  for _, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    if line:find("other", 1, true) then say("  " .. line) end
  end
  vim.cmd("silent undo")
  vim.api.nvim_buf_set_lines(0, -1, -1, false, member.lines)
  local offered = ask("textDocument/completion", member.after)
  local labels = {}
  for index, item in ipairs(offered.items) do
    if index <= 3 then table.insert(labels, item.label) end
  end
  say("completion " .. table.concat(labels, ", "))
  vim.cmd("silent undo")
  local symbols = ask("textDocument/documentSymbol")
  local names = {}
  for _, symbol in ipairs(symbols) do table.insert(names, symbol.name) end
  say("symbols " .. table.concat(names, ", "))
  -- Each further feature: how many answers there are, and a word of the first.
  local whole = { start = { line = 0, character = 0 }, ["end"] = { line = vim.api.nvim_buf_line_count(0), character = 0 } }
  local further = {
    { "textDocument/declaration", word },
    { "textDocument/typeDefinition", word },
    { "textDocument/implementation", word },
    { "textDocument/documentHighlight", word },
    { "textDocument/prepareRename", word },
    { "textDocument/foldingRange" },
    { "textDocument/selectionRange", word, { positions = { { line = 1, character = 3 } } } },
    { "textDocument/semanticTokens/full" },
    { "textDocument/semanticTokens/range", nil, { range = whole } },
    { "textDocument/inlayHint", nil, { range = whole } },
    { "textDocument/codeLens" },
    { "textDocument/documentLink" },
    { "textDocument/codeAction", nil, { range = whole, context = { diagnostics = {} } } },
    { "textDocument/prepareCallHierarchy", word },
    { "textDocument/rangeFormatting", nil, { range = whole, options = { tabSize = 2, insertSpaces = true } } },
    { "textDocument/diagnostic" },
    { "workspace/symbol", nil, { query = "" } },
    { "workspace/executeCommand", nil, { command = "hcl.language", arguments = { vim.uri_from_bufnr(0) } } },
  }
  for _, one in ipairs(further) do
    local answer, why = ask(one[1], one[2], one[3])
    say(one[1] .. " " .. (why or short(answer)))
  end
  vim.api.nvim_buf_set_lines(0, -1, -1, false, member.call)
  local signature = ask("textDocument/signatureHelp", member.call_at)
  say("signature " .. (signature and signature.signatures and signature.signatures[1].label or "none"))
  vim.cmd("silent undo")
  local formatted = ask("textDocument/formatting", nil, { options = { tabSize = 2, insertSpaces = true } })
  vim.lsp.util.apply_text_edits(formatted, vim.api.nvim_get_current_buf(), "utf-16")
  say("formatted")
  for _, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do say("  " .. line) end
  vim.cmd("bwipeout!")
  vim.lsp.stop_client(id)
end

-- A session that hangs ends after all.
local patience = vim.loop.new_timer()
patience:start(90000, 0, function()
  io.stdout:write("the session takes too long\n")
  os.exit(1)
end)

-- An error in this script must end the editor as well.
local function main()
  look("terraform", "main.tf", "var.region", { lines = { "locals {", "  region = var.", "}" }, after = "region = var.", call = { "locals {", "  upper = upper(", "}" }, call_at = "upper(" })
  look("bake", "docker-bake.hcl", "${TAG", { lines = { "target \"b\" {", "  tags = [\"${T" }, after = "[\"${T\\$", call = { "target \"c\" {", "  args = { a = upper(" }, call_at = "upper(" })
  look("plain", "settings.hcl", "${port", { lines = { "again = po" }, after = "again = po", call = { "loud = upper(" }, call_at = "upper(" })
end

local fine, why = pcall(main)
if not fine then fail(tostring(why)) end
vim.cmd("qall!")
