# Spec files of hcldec, which say how files are decoded.

language "hcldec" {
  title       = "hcldec spec"
  description = "Describes the values that are decoded from the body of a file."
  docs        = "https://github.com/hashicorp/hcl/blob/main/cmd/hcldec/spec-format.md"
  functions   = "standard"

  files "spec" {
    patterns = ["*.hcldec", "*.hcldec.json"]
    body     = file
  }
}

part "file" {
  include = [spec]
  block "variables" {
    description = "Variables for the expressions of the file that is decoded."
    attribute "*" {}
  }
  block "function" {
    description = "A function that expressions can call."
    label "name" { type = identifier }
    attribute "params" { type = required(list(keyword())) }
    attribute "variadic_param" { type = keyword() }
    attribute "result" { type = required(expression) }
  }
}

# A body with one spec, or with the specs of the parts of a value.
part "spec" {
  block "object" {
    description = "An object; the labels of the specs in it are its attributes."
    label "name" { type = optional(string) }
    include = [spec]
  }
  block "array" {
    description = "A tuple of the values of the specs in it."
    label "name" { type = optional(string) }
    include = [spec]
  }
  block "attr" {
    description = "The value of an attribute."
    label "name" { type = optional(string) }
    attribute "name" {
      type        = string
      description = "The name of the attribute, if the label is not its name."
    }
    attribute "type" {
      type        = type
      description = "The type that the value is converted to."
    }
    attribute "required" {
      type        = optional(bool, false)
      description = "True if the attribute must be there."
    }
  }
  block "block" {
    description = "The value of the only block of a type."
    label "name" { type = optional(string) }
    attribute "block_type" { type = string }
    attribute "required" { type = optional(bool, false) }
    include = [spec]
  }
  block "block_list" {
    description = "A list with a value for each block of a type."
    label "name" { type = optional(string) }
    include = [blocks, spec]
  }
  block "block_tuple" {
    description = "A tuple with a value for each block of a type."
    label "name" { type = optional(string) }
    include = [blocks, spec]
  }
  block "block_set" {
    description = "A set with a value for each block of a type."
    label "name" { type = optional(string) }
    include = [blocks, spec]
  }
  block "block_map" {
    description = "A map with a value for each block of a type, by its labels."
    label "name" { type = optional(string) }
    include = [labelled, spec]
  }
  block "block_object" {
    description = "An object with a value for each block of a type, by its labels."
    label "name" { type = optional(string) }
    include = [labelled, spec]
  }
  block "block_attrs" {
    description = "A map of all attributes of a block."
    label "name" { type = optional(string) }
    attribute "block_type" { type = string }
    attribute "element_type" { type = required(type) }
    attribute "required" { type = optional(bool, false) }
  }
  block "block_label" {
    description = "A label of the block that the spec is for."
    label "name" { type = optional(string) }
    attribute "index" {
      type        = integer(0)
      description = "The number of the label, counted from 0."
    }
    attribute "name" { type = string }
  }
  block "default" {
    description = "The value of the first spec in it that is not null."
    label "name" { type = optional(string) }
    include = [spec]
  }
  block "transform" {
    description = "A value that an expression makes of another one, which is `nested`."
    label "name" { type = optional(string) }
    attribute "result" { type = required(expression) }
    include = [spec]
  }
  block "literal" {
    description = "A value."
    label "name" { type = optional(string) }
    attribute "value" { type = required(expression) }
  }
}

part "blocks" {
  attribute "block_type" {
    type        = string
    description = "The type of the blocks, if the label is not."
  }
  attribute "min_items" {
    type        = integer(0)
    description = "The number of blocks that there must be."
  }
  attribute "max_items" {
    type        = integer(0)
    description = "The number of blocks that there may be."
  }
}

part "labelled" {
  attribute "block_type" {
    type        = string
    description = "The type of the blocks, if the label is not."
  }
  attribute "labels" {
    type        = required(list(string))
    description = "The names of the labels."
  }
}
