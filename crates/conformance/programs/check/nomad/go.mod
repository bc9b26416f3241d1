module hcl-lr-check-nomad

go 1.24

require (
	github.com/hashicorp/hcl/v2 v2.24.0
	github.com/hashicorp/nomad/api v0.0.0-20260528135333-5b027732945f
)
