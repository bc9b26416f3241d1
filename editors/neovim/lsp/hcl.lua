-- The language server for HCL, for Neovim 0.11 or newer: `lsp/hcl.lua` in the configuration.
return {
  cmd = { "hcl", "lsp" },
  filetypes = { "hcl", "terraform", "terraform-vars", "nomad", "packer" },
  root_markers = { ".hcl-schema", ".terraform.lock.hcl", ".git" },
  settings = { hcl = { hints = { values = true } } },
}
