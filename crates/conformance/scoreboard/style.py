"""How the page looks: light and dark, narrow and wide."""

STYLE = """\
:root {
  --ground: #fdfdfb; --ink: #1d2228; --soft: #5b646e; --line: #d9dde1; --shade: #f2f3f1;
  --full: #bfe3c6; --near: #d9ecc0; --most: #f5e3a9; --some: #f6cfa2; --few: #f1b6ae; --time: #cfdff3; --link: #0b5cad;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171a; --ink: #e4e7ea; --soft: #9aa4ae; --line: #343a41; --shade: #1d2125;
    --full: #1f5230; --near: #3f5320; --most: #5c4f16; --some: #63401a; --few: #652c26; --time: #27456b; --link: #7db7f5;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 90rem; margin: 0 auto; padding: 1.5rem clamp(1rem, 3vw, 3rem); }
h1 { font-size: 1.8rem; line-height: 1.2; margin: 0 0 1rem; }
h2 { font-size: 1.3rem; margin: 2.5rem 0 .75rem; }
h3 { font-size: 1.05rem; margin: 1.25rem 0 .5rem; }
p { max-width: 46rem; margin: .75rem 0; }
a { color: var(--link); }
a:focus-visible, .table:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1rem; list-style: none; margin: 1rem 0; padding: 0; }
.table { overflow-x: auto; max-width: 100%; width: fit-content; border: 1px solid var(--line); border-radius: 6px; margin: .75rem 0; }
table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .7rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
tbody tr:last-child > * { border-bottom: 0; }
thead th { background: var(--shade); color: var(--soft); font-weight: 600; vertical-align: bottom; }
th:first-child { position: sticky; left: 0; z-index: 1; background: var(--ground); text-align: left; font-weight: 500; border-right: 1px solid var(--line); }
thead th:first-child { background: var(--shade); }
tr.chapter > * { background-color: var(--shade); font-weight: 600; }
small { color: var(--soft); font-weight: 400; }
td.none { color: var(--soft); }
td.words, th.words { text-align: left; }
td.bar { --c: var(--time); background-image: linear-gradient(to right, var(--c) var(--p), transparent var(--p)); }
td.bar.all { --c: var(--full); }
td.bar.near { --c: var(--near); }
td.bar.most { --c: var(--most); }
td.bar.some { --c: var(--some); }
td.bar.few { --c: var(--few); }
td.bar.time { min-width: 7rem; }
td.long { white-space: normal; min-width: 22rem; text-align: left; }
td.bar small { color: inherit; }
footer { margin-top: 3rem; color: var(--soft); font-size: .875rem; border-top: 1px solid var(--line); }
@media (max-width: 40rem) {
  th, td { padding: .25rem .45rem; }
  th:first-child { white-space: normal; min-width: 8rem; max-width: 9rem; }
}
@media print { .table { overflow: visible; border: 0; } }
"""
