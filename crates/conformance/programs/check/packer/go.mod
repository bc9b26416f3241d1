module hcl-lr-check-packer

go 1.24

require github.com/hashicorp/packer v1.9.4
