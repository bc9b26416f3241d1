"""A parser of HCL that lark makes of what `hcl grammar --ebnf` prints: an independent check of the productions.

The productions are translated one by one. The lexer below is written by hand after the section "the lexer"; all rules of
the sections "filtering" and "words" (drop, read, refuse, join, word) are read from the text. Nothing of hcl-lr takes part
but that text.

    python3 hcl_lark.py EBNF derive FILE                  the derivation of a file, as `hcl grammar --derive` prints it
    python3 hcl_lark.py EBNF derive --expression FILE     the same of an expression; also --template, --json
    python3 hcl_lark.py EBNF corpus FOLDER                all files of a corpus, with the verdicts of its manifest
    python3 hcl_lark.py EBNF verdicts START FILE          lines `[SENTENCE, true or false]`: the verdict must be the same
    python3 hcl_lark.py EBNF json FILE…                   files in JSON syntax
"""

import json
import re
import sys
import unicodedata
from pathlib import Path

from lark import Lark, Token, Tree
from lark.exceptions import LarkError
from lark.lexer import Lexer

sys.setrecursionlimit(100_000)

LEXICAL = ["Identifier", "StringLit", "NumericLit", "decimal", "Newline", "TemplateLiteral", "JsonString", "JsonNumber"]
START = {"ConfigFile": "config_file", "Body": "config_file", "Expression": "expression", "Template": "template",
         "JsonFile": "json_file", "JsonValue": "json_value"}


class LexError(Exception):
    pass


class Word:
    """A rule that makes words keywords: `word "in" after "for" Identifier`."""

    def __init__(self, text):
        self.words = set(re.findall(r'"(\w+)"', re.split(r" in | after ", text)[0]))
        rest = text[len(re.split(r" in | after ", text)[0]):]
        rest, _, before = rest.partition(", nor before ")
        rest, _, unless = rest.partition(", but not after ")
        rest, _, after = rest.partition(" after ")
        within = rest.strip().removeprefix("in ")
        self.in_expression = within == "Expression" or after.endswith(" in Expression")
        after = after.removesuffix(" in Expression")
        # Brackets in which the word is one, such as those of a for expression: the opener, and the keyword after it.
        self.brackets = [names[:2] for names in sequences(within)] if within and within != "Expression" else []
        self.after, self.unless, self.before = sequences(after), sequences(unless), sequences(before)

    def applies(self, source, frame):
        if self.in_expression and not frame["expression"]:
            return False
        if self.brackets and [frame["open"], "for" if frame["for"] else None] not in self.brackets:
            return False
        if self.after and not any(source.ends_with(names) for names in self.after):
            return False
        if any(source.ends_with(names) for names in self.unless):
            return False
        return not any(source.goes_on_with(names[0]) for names in self.before)


def sequences(text):
    """The alternatives of a rule, each a list of signs and names."""
    return [re.findall(r'"([^"]+)"|(\w+)', part) and [sign or name for sign, name in re.findall(r'"([^"]+)"|(\w+)', part)]
            for part in text.split(" | ") if part.strip()]


class Grammar:
    """The productions of a printed grammar, and its rules for tokens."""

    def __init__(self, text):
        def rules(kind):
            return re.findall(rf"^{kind} (.*);$", text, re.M)

        drops = rules("drop")
        self.words = [Word(rule) for rule in rules("word")]
        bare = re.sub(r"\(\*.*?\*\)", "", text, flags=re.S)
        productions = dict(re.findall(r"^(\w+) = (.*?);$", bare, re.S | re.M))
        self.productions = {name: text for name, text in productions.items() if self.is_read(name, text)}
        # Openers within which newlines are dropped, and the tokens after which they are in the braces of an object.
        pairs = [names for rule in drops if rule.startswith("Newline in ") and " of " not in rule
                 for names in sequences(rule.removeprefix("Newline in "))]
        self.dropping = {names[0] for names in pairs if names[1:2] != ["for"]}
        self.dropping_for = {names[0] for names in pairs if names[1:2] == ["for"]}
        (object_rule,) = [rule for rule in drops if " of Expression after " in rule]
        self.object_after = {name for names in sequences(object_rule.split(" after ")[1]) for name in names}
        self.drops_after_newline = any(rule.startswith("Newline after Newline") for rule in drops)
        self.drops_alone = {rule.rsplit(" ", 1)[1] for rule in drops if " that is one " in rule}
        self.reads = dict(rule.split(" as ") for rule in rules("read"))
        # Sequences that no newline may stand in, and what may not follow a token at once.
        refused = [rule.split(" in ") for rule in rules("refuse") if " in " in rule]
        self.unbroken = [names for name, parts in refused if name == "Newline" for names in sequences(parts)]
        before = [rule.split(" before ") for rule in rules("refuse") if " before " in rule]
        self.not_before = {name: sequences(parts) for names, parts in before for (name,) in sequences(names)}
        self.joined = [names for rule in rules("join") for names in sequences(rule)]
        self.terminals = {}

    def last(self, name):
        """The tokens that may end a sentence of a production, each as a list of signs or names."""
        rules, (start,) = self.compiled, [self.rule(name)]
        empty, changed = set(), True
        while changed:
            more = {rule.origin.name for rule in rules if all(part.name in empty for part in rule.expansion)} - empty
            empty, changed = empty | more, bool(more)
        found, waiting, seen = set(), [start], set()
        while waiting:
            name = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            for rule in rules:
                for part in reversed(rule.expansion if rule.origin.name == name else []):
                    (found.add if part.is_term else waiting.append)(part.name)
                    if part.name not in empty:
                        break
        signs = {terminal: text for text, terminal in self.terminals.items()}
        names = {name.upper(): name for name in LEXICAL}
        split = {"".join(parts): parts for parts in self.joined}
        return [split.get(text, [text]) for text in (signs.get(name) or names[name] for name in found)]

    @staticmethod
    def is_read(name, text):
        # What is described in prose is a token.
        plain = re.sub(r'"[^"]*"|' + r"'[^']*'", "", text)
        return name not in LEXICAL and not re.search(r"\.\.|\b(any|characters|as)\b", plain) and name not in (
            "Space", "LineComment", "InlineComment", "expmark")

    def terminal(self, text):
        return self.terminals.setdefault(text, f"T{len(self.terminals)}")

    @staticmethod
    def rule(name):
        return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower() if name[0].isupper() else "x_" + re.sub(r"(?=[A-Z])", "_", name).lower()

    def lark(self):
        lines = []
        for name, text in self.productions.items():
            parts = []
            # `("%{" | "%{~") "if"` is `("%{" "if" | "%{~" "if")`.
            text = re.sub(r'\(("[^"]+") \| ("[^"]+")\) ("[a-z]+")', r"(\1 \3 | \2 \3)", text)
            for signs in self.joined:
                text = text.replace(" ".join(f'"{sign}"' for sign in signs), f'"{"".join(signs)}"')
            for part in re.findall(r'"[^"]*"|\'[^\']*\'|\w+|[()|*+?]', text):
                if part[0] in "\"'":
                    part = self.terminal(part[1:-1])
                elif part[0].isalpha():
                    part = self.rule(part) if part in self.productions else part.upper()
                parts.append(part)
            lines.append(f"{self.rule(name)}: " + re.sub(r" ([*+?])", r"\1", " ".join(parts)))
        declared = [*self.terminals.values(), *(name.upper() for name in LEXICAL)]
        return "\n".join(lines) + "\n%declare " + " ".join(declared) + "\n"

    def parser(self):
        text, grammar = self.lark(), self

        class Given(Lexer):
            def __init__(self, *_):
                pass

            def lex(self, tokens):
                return iter(tokens)

        # Rules of one alternative keep their names: the tree is the derivation.
        parser = Lark(text, parser="lalr", lexer=Given, start=sorted(set(START.values())), maybe_placeholders=False)
        grammar.compiled = parser.rules
        grammar.ends = {name: grammar.last(name) for name in grammar.productions}
        return parser, grammar


OPERATORS = ["...", "::", "=>", "==", "!=", "<=", ">=", "&&", "||", *"+-*/%<>!=?:.,()[]{}"]
SPACE = re.compile(r"(?:[ \t]|/\*.*?\*/)+", re.S)
LINE = re.compile(r"(?:#|//)[^\n]*")
NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
EXPONENT = re.compile(r"[eE][+-]?[0-9]+")
# How the tokens begin that may not follow another one at once.
AT_ONCE = {"Identifier": r"[^\W\d]", "decimal": "[0-9]"}
ESCAPE = re.compile(r'\\(?:[nrt"\\]|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})')
INTRODUCTION = re.compile(r"<<(-?)([^\W\d](?:\w|-)*)(\r?\n)")


def starts_name(c):
    return c == "_" or c.isidentifier()


def continues_name(c):
    return c == "-" or ("a" + c).isidentifier()


class Source:
    """The tokens of a source, with a stack of the brackets that are open."""

    def __init__(self, text, grammar, syntax):
        self.text, self.grammar, self.at = text.removeprefix("\ufeff"), grammar, 0
        # Each frame: its opener, whether it is an expression, and whether it is a for expression.
        self.stack = [{"open": syntax, "expression": syntax == "expression", "for": False}]
        self.tokens = []
        # The numbers of the tokens before which there is the end of a line, also one that is dropped.
        self.newlines = set()

    def add(self, kind, text):
        self.tokens.append((kind or text, text))

    def last(self, back=1):
        return self.tokens[-back][0] if len(self.tokens) >= back else None

    def ends_with(self, names):
        """Whether the last tokens are these; a production stands for its last token."""
        if names[-1] in self.grammar.ends:
            return any(self.ends_with([*names[:-1], *last]) for last in self.grammar.ends[names[-1]])
        if names[0] in self.grammar.ends:
            kept = self.tokens
            self.tokens = kept[:len(kept) - len(names) + 1]
            try:
                return [name for name, _ in kept[len(self.tokens):]] == names[1:] and self.ends_with(names[:1])
            finally:
                self.tokens = kept
        kinds = ["Identifier" if name == "heredoc end" else name for name, _ in self.tokens[-len(names):]]
        return kinds == names

    def goes_on_with(self, sign):
        """Whether the next token is this sign, after white space and newlines."""
        return re.compile(rf"(?:\s|/\*.*?\*/|(?:#|//)[^\n]*\n)*{re.escape(sign)}", re.S).match(self.text, self.at) is not None

    def refuse(self, name):
        """Refuses what follows a token at once, by the rules `refuse … before …`."""
        for names in self.grammar.not_before.get(name, []):
            if re.compile("".join(AT_ONCE.get(part) or re.escape(part) for part in names)).match(self.text, self.at):
                raise LexError(f"{name} before {' '.join(names)}")

    def all(self):
        self.read()
        for names in self.grammar.unbroken:
            for at in range(len(self.tokens)):
                if [name for name, _ in self.tokens[at:at + len(names)]] == names and any(
                        at + part in self.newlines for part in range(1, len(names))):
                    raise LexError(f"a newline in {' '.join(names)}")
        return self.join()

    def read(self):
        if self.stack[0]["open"] == "template":
            self.template(None)
        else:
            self.lines(1)
            # The newline of the last line may be missing.
            if self.stack[0]["open"] == "body" and self.tokens and self.last() != "Newline":
                self.end_line()

    def join(self):
        joined, at = [], 0
        while at < len(self.tokens):
            signs = next((signs for signs in self.grammar.joined
                          if [name for name, _ in self.tokens[at:at + len(signs)]] == signs), None)
            name, text = self.tokens[at]
            joined.append(("".join(signs),) * 2 if signs else ("Identifier" if name == "heredoc end" else name, text))
            at += len(signs or [name])
        return joined

    def lines(self, depth, until=None):
        """Reads the tokens of a configuration up to the end, or up to what closes a sequence."""
        while self.at < len(self.text):
            frame, text, at = self.stack[-1], self.text, self.at
            space = SPACE.match(text, at)
            if space:
                self.at = space.end()
                continue
            if LINE.match(text, at):
                self.at = LINE.match(text, at).end()
                if text[self.at - 1] == "\r":
                    self.at -= 1
                if self.at == len(text) and self.grammar.reads["LineComment"] == "Newline":
                    self.end_line()
                continue
            newline = re.compile(r"\r?\n").match(text, at)
            if newline:
                self.at = newline.end()
                self.end_line()
                continue
            if until and len(self.stack) == depth and (text.startswith("}", at) or text.startswith("~}", at)):
                return
            self.token(frame)
        if until:
            raise LexError("a sequence is not closed")

    def end_line(self):
        frame = self.stack[-1]
        self.newlines.add(len(self.tokens))
        if self.grammar.drops_after_newline and self.last() in ("Newline", None):
            return
        if frame["open"] == "value":
            self.stack.pop()
            self.add("Newline", "\n")
        elif frame["open"] == "body" or (frame["open"] == "{" and not frame["expression"]):
            self.add("Newline", "\n")
        elif frame["open"] == "{" and not frame["for"]:
            if self.last() not in self.grammar.object_after:
                self.add("Newline", "\n")
        elif frame["open"] == "expression":
            if "Expression" not in self.grammar.drops_alone:
                self.add("Newline", "\n")
        elif frame["open"] not in self.grammar.dropping | self.grammar.dropping_for:
            self.add("Newline", "\n")

    def token(self, frame):
        text, at = self.text, self.at
        c = text[at]
        if starts_name(c):
            while self.at < len(text) and continues_name(text[self.at]):
                self.at += 1
            return self.word(text[at:self.at], frame)
        if c.isascii() and c.isdigit():
            if frame["expression"] and self.last() == "." and self.last(2) != "Newline":
                end = at
                while end < len(text) and text[end].isdigit():
                    end += 1
                self.at = EXPONENT.match(text, end).end() if EXPONENT.match(text, end) and self.reads_exponents() else end
                for digit in text[at:self.at]:
                    self.add("decimal", digit)
            else:
                found = NUMBER.match(text, at)
                self.at = found.end()
                self.add("NumericLit", found[0])
            return self.refuse(self.last())
        if c == '"':
            return self.quoted(frame)
        if text.startswith("<<", at):
            return self.heredoc()
        operator = next((op for op in OPERATORS if text.startswith(op, at)), None)
        if operator is None:
            raise LexError(f"a character without meaning: {c!r}")
        self.at += len(operator)
        return self.sign(operator, frame)

    def reads_exponents(self):
        """Whether an exponent of a legacy index counts as more of its digits."""
        return self.grammar.reads.get("expmark decimal+ after decimal") == "decimal+"

    def word(self, word, frame):
        if any(word in rule.words and rule.applies(self, frame) for rule in self.grammar.words):
            if word == "for" and self.last() in ("[", "{"):
                frame["for"] = True
            return self.add(None, word)
        return self.add("Identifier", word)

    def sign(self, sign, frame):
        if sign in ("(", "[", "{"):
            self.add(None, sign)
            self.stack.append({"open": sign, "expression": frame["expression"], "for": False})
        elif sign in (")", "]", "}"):
            if frame["open"] == "value" and sign == "}":
                self.stack.pop()
                frame = self.stack[-1]
            if frame["open"] != {")": "(", "]": "[", "}": "{"}[sign]:
                raise LexError(f"{sign} closes nothing")
            self.stack.pop()
            self.add(None, sign)
        elif sign == "=" and not frame["expression"]:
            self.add(None, sign)
            self.stack.append({"open": "value", "expression": True, "for": False})
        else:
            self.add(None, sign)

    def quoted(self, frame):
        if not frame["expression"]:
            found = re.compile(r'"((?:\\.|[^"\\\n])*)"').match(self.text, self.at)
            literal = found and re.fullmatch(r'(?:\$\$\{|%%\{|\\(?:[nrt"\\]|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})|[$%](?!\{)|[^"\\\n$%])*', found[1])
            if not literal:
                raise LexError("a label that is no literal")
            self.at = found.end()
            return self.add("StringLit", found[0])
        self.at += 1
        self.add(None, '"')
        self.template('"')
        self.add(None, '"')
        return None

    def heredoc(self):
        found = INTRODUCTION.match(self.text, self.at)
        if not found:
            raise LexError("<< without a name")
        self.at = found.end()
        self.add(None, "<<" + found[1])
        self.add("Identifier", found[2])
        self.add("Newline", found[3])
        self.template(found[2])
        self.add("heredoc end", found[2])

    def template(self, end):
        """Reads literal text and sequences up to a quote, the name of a heredoc, or the end."""
        text, literal = self.text, ""
        line_start = True
        while True:
            if end not in (None, '"') and line_start:
                closing = re.compile(rf"[ \t]*{re.escape(end)}[ \t]*(?=\r?\n)").match(text, self.at)
                if closing:
                    self.at = closing.end()
                    break
            if self.at >= len(text):
                if end is None:
                    break
                raise LexError("a template that is not closed")
            line_start = False
            if end == '"' and text[self.at] == '"':
                self.at += 1
                break
            if text.startswith(("$${", "%%{"), self.at):
                literal += text[self.at:self.at + 3]
                self.at += 3
                continue
            if text.startswith(("${", "%{"), self.at):
                if literal:
                    self.add("TemplateLiteral", literal)
                    literal = ""
                self.sequence()
                continue
            c = text[self.at]
            if end == '"' and c == "\n":
                raise LexError("a newline in quotes")
            if end == '"' and c == "\\":
                found = ESCAPE.match(text, self.at)
                code = int(found[0][2:], 16) if found and found[0][1] in "uU" else 0
                if not found or code > 0x10FFFF or 0xD800 <= code < 0xE000:
                    raise LexError("no escape sequence")
                literal += found[0]
                self.at = found.end()
                continue
            literal += c
            self.at += 1
            line_start = c == "\n"
        if literal:
            self.add("TemplateLiteral", literal)

    def sequence(self):
        opener = re.compile(r"[$%]\{~?").match(self.text, self.at)[0]
        self.at += len(opener)
        self.add(None, opener)
        self.stack.append({"open": opener, "expression": True, "for": False})
        self.lines(len(self.stack), until="}")
        self.stack.pop()
        closer = "~}" if self.text.startswith("~}", self.at) else "}"
        self.at += len(closer)
        self.add(None, closer)


class JsonSource:
    TOKEN = re.compile(r'[ \t\r\n]*(?:("(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*")|'
                       r"(-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)|(true|false|null|[{}\[\],:]))")

    def __init__(self, text):
        self.text = text

    def all(self):
        at, tokens = 0, []
        while self.text[at:].strip(" \t\r\n") if at > len(self.text) - 100 else at < len(self.text):
            found = self.TOKEN.match(self.text, at)
            if not found:
                raise LexError("no token of JSON")
            string, number, sign = found.groups()
            tokens.append(("JsonString", string) if string else ("JsonNumber", number) if number else (sign, sign))
            at = found.end()
        return tokens


class Parser:
    def __init__(self, ebnf):
        self.lark, self.grammar = Grammar(ebnf).parser()

    def tokens(self, text, start):
        kind = {"ConfigFile": "body", "Body": "body", "Expression": "expression", "Template": "template"}.get(start)
        source = JsonSource(text) if kind is None else Source(text, self.grammar, kind)
        for name, shown in source.all():
            kind = name.upper() if name in LEXICAL else self.grammar.terminals.get(name)
            if kind is None:
                raise LexError(f"{name} is no token of the productions")
            yield Token(kind, shown)

    def parse(self, text, start):
        return self.lark.parse(list(self.tokens(text, start)), start=START[start])

    def accepts(self, text, start):
        try:
            self.parse(text, start)
            return True
        except (LarkError, LexError):
            return False

    def derivation(self, text, start):
        names = {self.grammar.rule(name): name for name in self.grammar.productions}
        classes = {name.upper(): name for name in LEXICAL}
        lines, chain = [], []

        def write(node, depth):
            if isinstance(node, Token):
                kind = classes.get(node.type)
                shown = "Newline" if kind == "Newline" else f"{kind} {escaped(node)}" if kind else str(node)
                lines.append("  " * depth + " ".join([*chain, shown]))
                chain.clear()
                return
            parts = []
            for part in node.children:
                signs = next((signs for signs in self.grammar.joined if "".join(signs) == part), None)
                parts += [Token("sign", sign) for sign in signs] if signs else [] if is_empty(part) else [part]
            chain.append(names[str(node.data)])
            if len(parts) != 1:
                lines.append("  " * depth + " ".join(chain))
                chain.clear()
                depth += 1
            for part in parts:
                write(part, depth)

        write(self.parse(text, start), 0)
        return "\n".join(lines) + "\n"


def is_empty(node):
    return isinstance(node, Tree) and all(is_empty(part) for part in node.children)


def escaped(text):
    shown = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "'": "\\'", "\\": "\\\\"}
    return "".join(shown.get(c) or (f"\\u{{{ord(c):x}}}" if unicodedata.category(c) in ("Cc", "Cf", "Mn") else c) for c in text)


def main():
    parser = Parser(Path(sys.argv[1]).read_text(encoding="utf-8"))
    command, arguments = sys.argv[2], sys.argv[3:]
    problems, checked = [], 0
    if command == "derive":
        start = {"--expression": "Expression", "--template": "Template", "--json": "JsonFile"}.get(arguments[0], "ConfigFile")
        sys.stdout.write(parser.derivation(Path(arguments[-1]).read_bytes().decode(), start))
        return 0
    if command == "corpus":
        folder = Path(arguments[0])
        for line in map(json.loads, (folder / "manifest.jsonl").read_text(encoding="utf-8").splitlines()):
            start = {"native": "ConfigFile", "json": "JsonFile", "template": "Template"}.get(line["syntax"])
            if start:
                text = (folder / line["path"]).read_bytes().decode()
                checked += 1
                if parser.accepts(text, start) != line["accepted"]:
                    problems.append(f"{'rejected' if line['accepted'] else 'accepted'}: {line['path']}")
    elif command == "verdicts":
        for line in Path(arguments[1]).read_text(encoding="utf-8").split("\n"):
            if line:
                sentence, accepted = json.loads(line)
                checked += 1
                if parser.accepts(sentence, arguments[0]) != accepted:
                    problems.append(f"{'rejected' if accepted else 'accepted'}: {json.dumps(sentence, ensure_ascii=False)}")
    elif command == "json":
        for path in arguments:
            checked += 1
            if not parser.accepts(Path(path).read_bytes().decode(), "JsonFile"):
                problems.append(f"rejected: {path}")
    for problem in problems[:20]:
        print(problem)
    print(f"{checked} checked, {len(problems)} differences")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
