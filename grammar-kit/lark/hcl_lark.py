"""A parser of HCL that lark makes of what `hcl grammar --ebnf` prints: an independent check of the productions.

The productions are translated one by one. The lexer below is written by hand after the section "the lexer"; the rules
that drop newlines and make words keywords are read from the sections "filtering" and "words". Nothing of hcl-lr takes part
but the text of the productions.

    python3 hcl_lark.py EBNF derive FILE                  the derivation of a file, as `hcl grammar --derive` prints it
    python3 hcl_lark.py EBNF derive --expression FILE     the same of an expression
    python3 hcl_lark.py EBNF corpus FOLDER                all files of a corpus that its manifest says are accepted
    python3 hcl_lark.py EBNF sentences START FILE         lines of JSON strings that must be accepted
    python3 hcl_lark.py EBNF misses START FILE            lines of JSON strings that must be rejected
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


class Grammar:
    """The productions, the dropped newlines and the words of a printed grammar."""

    def __init__(self, text):
        self.drops = re.findall(r"^drop (.*);$", text, re.M)
        self.words = re.findall(r"^word (.*);$", text, re.M)
        bare = re.sub(r"\(\*.*?\*\)", "", text, flags=re.S)
        productions = dict(re.findall(r"^(\w+) = (.*?);$", bare, re.S | re.M))
        self.productions = {name: text for name, text in productions.items() if self.is_read(name, text)}
        # Openers within which newlines are dropped, and the texts after which they are in the braces of an object.
        pairs = [re.findall(r'"([^"]+)"', part) for drop in self.drops if " of " not in drop for part in drop.split(" in ")[-1].split("|")]
        self.dropping = {pair[0] for pair in pairs if pair and pair[1:2] != ["for"]}
        self.dropping_for = {pair[0] for pair in pairs if pair[1:2] == ["for"]}
        (object_rule,) = [drop for drop in self.drops if " of Expression after " in drop]
        self.object_after = set(re.findall(r'"([^"]+)"|(Newline)', object_rule.split(" after ")[1]))
        self.object_after = {text or name for text, name in self.object_after}
        self.literals = set(re.findall(r'"(\w+)"', next(word for word in self.words if word.startswith('"true"')).split(" in ")[0]))
        self.directives = set(re.findall(r'"(\w+)"', next(word for word in self.words if word.startswith('"if" | "else"')).split(" after ")[0]))
        joins = " | ".join(re.findall(r"^join (.*);$", text, re.M))
        self.joined = [re.findall(r'"([^"]+)"', part) for part in joins.split(" | ")]
        self.terminals = {}

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
        return Lark(text, parser="lalr", lexer=Given, start=sorted(set(START.values())), maybe_placeholders=False), grammar


OPERATORS = ["...", "::", "=>", "==", "!=", "<=", ">=", "&&", "||", *"+-*/%<>!=?:.,()[]{}"]
SPACE = re.compile(r"(?:[ \t]|/\*.*?\*/)+", re.S)
LINE = re.compile(r"(?:#|//)[^\n]*")
NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
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

    def add(self, kind, text):
        self.tokens.append((kind or text, text))

    def last(self, back=1):
        return self.tokens[-back][0] if len(self.tokens) >= back else None

    def ends_operand(self):
        return self.last() in ("Identifier", "NumericLit", "decimal", ")", "]", "}", '"', "true", "false", "null", "...", "heredoc end") or (
            self.last() == "*" and self.last(2) in (".", "["))

    def all(self):
        if self.stack[0]["open"] == "template":
            self.template(None)
        else:
            self.lines(1)
            # The newline of the last line may be missing.
            if self.stack[0]["open"] == "body" and self.tokens and self.last() != "Newline":
                self.end_line()
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
                if self.at == len(text):
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
        if self.last() in ("[", "*") and frame["open"] == "[" and self.last(2 if self.last() == "*" else 1) == "[":
            # A splat is written without newlines.
            if self.last() == "*" or re.compile(r"\s*\*\s*\]").match(self.text, self.at):
                raise LexError("a newline in a splat")
        if self.last() in ("Newline", None):
            return
        if frame["open"] == "value":
            self.stack.pop()
            self.add("Newline", "\n")
        elif frame["open"] == "body" or (frame["open"] == "{" and not frame["expression"]):
            self.add("Newline", "\n")
        elif frame["open"] == "{" and not frame["for"]:
            if self.last() not in self.grammar.object_after:
                self.add("Newline", "\n")
        elif frame["open"] not in self.grammar.dropping | self.grammar.dropping_for | {"expression"}:
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
                self.at = end
                exponent = re.compile(r"[eE][+-]?[0-9]+").match(text, end)
                if exponent:
                    raise LexError("an exponent of a legacy index")
                for digit in text[at:end]:
                    self.add("decimal", digit)
            else:
                found = NUMBER.match(text, at)
                self.at = found.end()
                self.add("NumericLit", found[0])
            if re.compile(r"\.[0-9]|[^\W\d]").match(text, self.at):
                raise LexError("a number that goes on")
            return None
        if c == '"':
            return self.quoted(frame)
        if text.startswith("<<", at):
            return self.heredoc()
        operator = next((op for op in OPERATORS if text.startswith(op, at)), None)
        if operator is None:
            raise LexError(f"a character without meaning: {c!r}")
        self.at += len(operator)
        return self.sign(operator, frame)

    def word(self, word, frame):
        grammar = self.grammar
        is_name = not frame["expression"] or self.last() in (".", "::")
        after_for = [name for name, _ in self.tokens[-3:]]
        if is_name:
            return self.add("Identifier", word)
        if self.last() in ("%{", "%{~") and word in grammar.directives:
            return self.add(None, word)
        if word == "for" and self.last() in ("[", "{") and frame.get("at") == len(self.tokens) and not frame.get("index"):
            frame["for"] = True
            return self.add(None, word)
        if word == "in" and (after_for[-2:] == ["for", "Identifier"] or (after_for[1:] == [",", "Identifier"] or after_for[-2:] == [",", "Identifier"]) and self.names_of_for()):
            return self.add(None, word)
        if word == "if" and frame["for"] and self.ends_operand():
            return self.add(None, word)
        if word in grammar.literals and not self.is_variable_of_for():
            rest = SPACE.sub("", self.text[self.at:self.at + 200]).lstrip("\r\n")
            if not rest.startswith(("(", "::")):
                return self.add(None, word)
        return self.add("Identifier", word)

    def names_of_for(self):
        names = [name for name, _ in self.tokens[-4:]]
        return names == ["for", "Identifier", ",", "Identifier"]

    def is_variable_of_for(self):
        names = [name for name, _ in self.tokens[-3:]]
        return names[-1:] == ["for"] or names == ["for", "Identifier", ","]

    def sign(self, sign, frame):
        if sign in ("(", "[", "{"):
            is_index = sign == "[" and self.ends_operand()
            self.add(None, sign)
            expression = frame["expression"]
            self.stack.append({"open": sign, "expression": expression, "for": False, "at": len(self.tokens), "index": is_index})
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
        self.stack.append({"open": opener, "expression": True, "for": False, "at": len(self.tokens)})
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
        start = "Expression" if arguments[0] == "--expression" else "Template" if arguments[0] == "--template" else "ConfigFile"
        sys.stdout.write(parser.derivation(Path(arguments[-1]).read_bytes().decode(), start))
        return 0
    if command == "corpus":
        folder = Path(arguments[0])
        for line in map(json.loads, (folder / "manifest.jsonl").read_text(encoding="utf-8").splitlines()):
            if line["accepted"] and line["syntax"] in ("native", "json"):
                start = "ConfigFile" if line["syntax"] == "native" else "JsonFile"
                text = (folder / line["path"]).read_bytes().decode()
                checked += 1
                if not parser.accepts(text, start):
                    problems.append(f"rejected: {line['path']}")
    elif command in ("sentences", "misses"):
        for line in Path(arguments[1]).read_text(encoding="utf-8").splitlines():
            checked += 1
            if parser.accepts(json.loads(line), arguments[0]) != (command == "sentences"):
                problems.append(f"{'rejected' if command == 'sentences' else 'accepted'}: {line}")
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
