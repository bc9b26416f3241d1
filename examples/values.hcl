# Everything that can be written as a value.

text      = "quotes, \"escapes\", and \u00e9"
not_HCL   = "a dollar sign is written $${like this}"
whole     = 42
fraction  = 0.125
large     = 6.02214076e23
yes       = true
nothing   = null
tuple     = [1, "two", [3]]
object    = { key = "value", "with space" = 2, (computed) = 3 }

# Operators, from the weakest to the strongest.
choice     = a ? b : c
either     = a || b
both       = a && b
equal      = a == b
greater    = a >= b
sum        = a + b - c
product    = a * b / c % d
negation   = -a
opposite   = !a
parenthese = (a + b) * c

# Ways into collections.
attribute = server.name
index     = servers[0]
computed  = servers[count - 1]
splat     = servers[*].name
call      = max(1, 2, numbers...)

# Templates.
greeting = "Hello, ${name}!"
list     = "%{ for item in items }${item} %{ endfor }"
optional = "%{ if count > 0 }${count} left%{ else }nothing left%{ endif }"
