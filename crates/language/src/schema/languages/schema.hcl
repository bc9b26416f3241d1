# The language of schemas, described by itself.

language "schema" {
  title       = "HCL Schema"
  description = "Describes a language that is written in HCL: its files, attributes, blocks, definitions and references."

  files "schema" {
    patterns = ["*.schema.hcl", "*.schema.hcl.json"]
    body     = schema
  }
}

part "schema" {
  attribute "import" {
    type        = list(file_path)
    description = "Other schema files, relative to this one. Their parts, types and catalogs can be used here."
  }

  block "language" {
    nesting     = single
    description = "The language as a whole."
    label "name" { type = identifier }
    include = [language]
  }

  block "part" {
    unique      = true
    description = "A named body. Other bodies include it by its name, and files have it as their contents."
    label "name" { type = identifier }
    defines "part" {
      address = "{name}"
      apart   = true
    }
    attribute "description" { type = string }
    include = [body]
  }

  block "types" {
    description = "Named types."
    attribute "*" {
      type = type_expression
    }
  }

  block "catalog" {
    unique      = true
    description = "A source of bodies that is loaded when it is needed, such as the schemas of providers."
    label "name" { type = identifier }
    defines "catalog" {
      address = "{name}"
      apart   = true
    }
    attribute "description" { type = string }
    attribute "format" {
      type        = required(keyword())
      description = "The format of the source, such as `terraform_provider_schema`."
    }
    attribute "section" {
      type        = string
      description = "The part of the source that has the names."
    }
  }
}

part "language" {
  attribute "title" {
    type        = string
    description = "The name of the language for people."
  }
  attribute "description" {
    type        = string
    description = "A description in Markdown."
  }
  attribute "docs" {
    type        = url
    description = "The address of the documentation."
  }
  attribute "extends" {
    type        = string
    description = "The name of a language of which this one has everything, unless it says otherwise."
  }
  attribute "functions" {
    type        = one_of(string, list(string))
    description = "The functions that expressions can call: names of sets. Of two functions of one name the later counts."
  }
  attribute "later_functions" {
    type        = list(string)
    description = "Functions whose results are known later. `provider::*` is all of a namespace."
  }
  attribute "later" {
    type        = list(string)
    description = "Names that stand for something that is known later, such as `path` or `source.type`."
  }
  attribute "checks_names" {
    type        = optional(bool, false)
    description = "True if a name that is not defined is an error everywhere."
  }
  attribute "protects_sensitive" {
    type        = optional(bool, false)
    description = "True if results with sensitive values must say so."
  }
  attribute "protects_ephemeral" {
    type        = optional(bool, false)
    description = "True if inputs and results can be ephemeral, and ephemeral values are not allowed where values are stored."
  }
  attribute "application" {
    type        = list(string)
    description = "Blocks that only the files of an application have, not those of modules, such as `terraform.backend`."
  }
  attribute "undefined_is_text" {
    type        = optional(bool, false)
    description = "True if variables that nothing defines stay as they are written."
  }
  attribute "elsewhere" {
    type        = list(string)
    description = "Blocks that lead to other files, with the first name of definitions that may be there: `include.dependency`. A name alone: such definitions may be in other files, if these have none."
  }
  attribute "unknown_names" {
    type        = optional(keyword(error, warning), error)
    description = "With `warning`, the program ignores attributes and blocks that it does not know."
  }
  attribute "reads_hcl_1" {
    type        = optional(bool, false)
    description = "True if the program reads its files as HCL 1: what only HCL 1 allows is a warning."
  }
  attribute "version" {
    type        = address()
    description = "The attribute with the constraints on the version of the language, such as `terraform.required_version`."
  }
  attribute "first_version" {
    type        = version
    description = "The first version of the language. Files whose constraints allow only earlier ones are not in it."
  }
  attribute "environment" {
    type        = string
    description = "The text before the name of an input in the name of the environment variable that gives it a value."
  }

  block "files" {
    unique      = true
    description = "Files with one purpose."
    label "name" { type = identifier }

    attribute "description" { type = string }
    attribute "patterns" {
      type        = list(string)
      description = "The names of the files, in which `*` stands for any characters."
    }
    attribute "also" {
      type        = list(string)
      description = "Names that other languages use, too. They count if the language is named."
    }
    attribute "detect" {
      type        = list(string)
      description = "Names of attributes and blocks by which these files differ from others of the same name."
    }
    attribute "alone" {
      type        = list(string)
      description = "Blocks that make a file a program of its own, although the files of a folder form one, too."
    }
    attribute "overrides" {
      type        = list(string)
      description = "Files that change what others define, by their names without extension, such as `*_override`."
    }
    attribute "together" {
      type        = optional(bool, false)
      description = "True if the files of a folder see each other's definitions."
    }
    attribute "body" {
      type        = required(reference(part))
      description = "The part that is the body of each file."
    }
    attribute "given" {
      type        = list(string)
      description = "The files that the program reads without being told to."
    }
    attribute "folders" {
      type        = list(folder_path)
      description = "Folders below that of the other files where these are, too."
    }
    attribute "results" {
      type        = list(string)
      description = "How expressions refer to results of the files beside these, such as `output.{name}`."
    }
    attribute "result_keys" {
      type        = list(string)
      description = "Attributes that are objects whose keys are results of the files beside these."
    }
  }
}

# What bodies, parts, cases and blocks have in common.
part "body" {
  attribute "include" {
    type        = one_of(reference(part), list(reference(part)))
    description = "Parts whose contents the body has, too."
  }
  attribute "open" {
    type        = optional(bool, false)
    description = "True if there may be any other attributes and blocks."
  }
  attribute "dynamic" {
    type        = optional(bool, false)
    description = "True if `dynamic` blocks may generate blocks of this body and of those in it."
  }
  attribute "without" {
    type        = list(string)
    description = "Names of attributes and blocks of the extended language that this one does not have."
  }
  attribute "exactly_one" {
    type        = names_of_items
    description = "Names of attributes and blocks of which one is there, and only one."
  }
  attribute "at_most_one" {
    type        = names_of_items
    description = "Names of attributes and blocks of which no two are there."
  }
  attribute "at_least_one" {
    type        = names_of_items
    description = "Names of attributes and blocks of which one is there, or several."
  }
  attribute "all_or_none" {
    type        = names_of_items
    description = "Names of attributes and blocks that are all there or none of them."
  }

  block "attribute" {
    unique      = true
    description = "An attribute. The name `*` stands for all names that are not listed."
    label "name" {}
    include = [attribute]
  }

  block "block" {
    unique      = true
    description = "Blocks of a type. The type `*` stands for all types that are not listed."
    label "type" {}
    include = [block]
  }

  block "match" {
    description = "Contents that depend on a label or attribute. With `parent.` before its name it is one of the body around."
    label "key" {}

    attribute "from" {
      type        = catalog_reference
      description = "The catalog that has the contents for more values: `catalog(NAME)`."
    }
    block "case" {
      description = "Contents for the values that are the labels."
      label "value" {
        type = repeated(string)
      }
      include = [body]
    }
    block "otherwise" {
      nesting     = single
      description = "Contents for all values without a case. Without this block, such a value is wrong."
      include     = [body]
    }
  }

  block "check" {
    description = "A condition on all of the body, which is `body`."
    include     = [check]
  }
}

part "attribute" {
  attribute "type" {
    type        = type_expression
    description = "The type, within `required` or `optional`. Without a type, any value is right."
  }
  attribute "assigns" {
    type        = keyword()
    description = "The kind of definitions that get their values here. Those of the name `*` are the ones of their own names."
  }
  attribute "sensitive" {
    type        = optional(bool, false)
    description = "True if the value must not be shown."
  }
  attribute "computed" {
    type        = optional(bool, false)
    description = "True if the program may set it if the file does not."
  }
  attribute "read_only" {
    type        = optional(bool, false)
    description = "True if only the program sets it."
  }
  attribute "write_only" {
    type        = optional(bool, false)
    description = "True if the program keeps its value nowhere, so that nothing can refer to it."
  }
  attribute "exact" {
    type        = optional(bool, false)
    description = "True if values of other types are not converted, and words and references cannot be in quotes."
  }
  attribute "constant" {
    type        = bool
    description = "True if the expression must be a constant, which refers to nothing and calls nothing; false if it must not be one."
  }
  attribute "defined" {
    type        = optional(bool, false)
    description = "True if what a reference names must be defined in the files of the program."
  }
  attribute "label_of" {
    type        = list(string)
    description = "The paths of the blocks whose labels the value can be, from a block around on: `group.network.port`."
  }
  attribute "role" {
    type        = keyword(value, source, count, for_each, enabled, variables, variadic, meta)
    description = "The meaning for the definition that the block makes."
  }
  include = [described]

  block "check" {
    description = "A condition on the value, which is `value`."
    include     = [check]
  }
}

part "block" {
  attribute "min" {
    type        = optional(integer(0), 0)
    description = "The number of blocks that there must be."
  }
  attribute "max" {
    type        = integer(0)
    description = "The number of blocks that there may be."
  }
  attribute "required" {
    type        = optional(bool, false)
    description = "True if there must be such a block."
  }
  attribute "unique" {
    type        = optional(bool, false)
    description = "True if no two blocks may have the same labels."
  }
  attribute "once" {
    type        = optional(bool, false)
    description = "True if all files of a program have at most one of them."
  }
  attribute "nesting" {
    type        = optional(keyword(single, list, set, map), list)
    description = "What the blocks are together. There is at most one `single` block."
  }
  attribute "form" {
    type        = optional(keyword(block, either), block)
    description = "With `either`, also an attribute that is an object or a list of objects."
  }
  attribute "names" {
    type        = list(string)
    description = "Names that expressions can use in these blocks and nowhere else, such as `self`."
  }
  attribute "role" {
    type        = keyword(check, value, meta, elsewhere)
    description = "The meaning for the definition that the block around makes."
  }
  include = [described, body]

  block "label" {
    description = "A label. Labels come in the order of these blocks."
    label "name" {}
    attribute "type" {
      type        = type_expression
      description = "The type, within `optional` if the label may be left out, or `repeated` if there may be several."
    }
    attribute "description" { type = string }
  }
}

part "described" {
  attribute "description" {
    type        = string
    description = "A description in Markdown."
  }
  attribute "docs" {
    type        = url
    description = "The address of the documentation."
  }
  attribute "since" {
    type        = version
    description = "The first version that has it."
  }
  attribute "until" {
    type        = version
    description = "The first version that no longer has it."
  }

  block "deprecated" {
    nesting     = single
    description = "It should no longer be used."
    attribute "use" {
      type        = string
      description = "What to use in its place, which means the same: the name of an attribute or a type of blocks."
    }
    attribute "message" {
      type        = string
      description = "What to do, in a few words."
    }
    attribute "since" { type = version }
  }

  block "defines" {
    nesting     = single
    description = "It makes a definition, to which expressions can refer."
    label "kind" { type = identifier }

    attribute "value" {
      type        = optional(keyword(object, value, input, module, later, function), object)
      description = "The value of the definition."
    }
    attribute "address" {
      type        = string
      description = "How expressions refer to it, with names of labels in braces: `data.{type}.{name}`."
    }
    attribute "aliases" {
      type        = list(string)
      description = "Other addresses."
    }
    attribute "open" {
      type        = optional(bool, false)
      description = "True if the value has more attributes than are written."
    }
    attribute "by_attribute" {
      type        = optional(bool, false)
      description = "True if a reference to an attribute depends on this attribute only."
    }
    attribute "whole" {
      type        = optional(bool, false)
      description = "True if the definition depends on all that its block refers to: two cannot need each other, even by different attributes."
    }
    attribute "apart" {
      type        = optional(bool, false)
      description = "True if only attributes of the type `reference` or `address` mean it by its address, and no other expressions."
    }
    attribute "itself_in" {
      type        = list(string)
      description = "The types of the blocks whose expressions can use this name, if not all can."
    }
    attribute "itself" {
      type        = identifier
      description = "The name by which expressions in the block refer to it."
    }
    attribute "otherwise" {
      type        = any
      description = "The value of an input that is neither given nor has a default."
    }
    attribute "constant" {
      type        = optional(bool, false)
      description = "True if the default of an input is a constant, in which only `functions` can be called."
    }
    attribute "functions" {
      type        = list(string)
      description = "The functions that a constant default can call."
    }
    attribute "typed_by_default" {
      type        = optional(bool, false)
      description = "True if the type of an input without one is that of its default."
    }
    attribute "nested" {
      type        = optional(bool, false)
      description = "True if the value of an object has its blocks, too."
    }
    attribute "ephemeral" {
      type        = optional(bool, false)
      description = "True if the value of an object is ephemeral: it must not be stored."
    }
    attribute "stored" {
      type        = optional(bool, false)
      description = "True if the arguments of an object are stored, so that ephemeral values are not allowed in them."
    }
    attribute "write_only" {
      type        = list(string)
      description = "The names of arguments that are not stored, as far as no catalog says so. `*` stands for the start of any name."
    }
    attribute "duplicates" {
      type        = optional(keyword(error, last, merge), error)
      description = "The meaning of two definitions of one name."
    }
  }
}

part "check" {
  attribute "condition" {
    type        = required(expression)
    description = "The condition. If it cannot be known, nothing is wrong."
  }
  attribute "message" {
    type        = required(string)
    description = "The message if the condition is false."
  }
}

types {
  type_expression   = expression
  catalog_reference = expression
  names_of_items    = one_of(list(string), list(list(string)))
}
