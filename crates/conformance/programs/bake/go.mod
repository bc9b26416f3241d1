module hcl-lr-bake

go 1.24

require (
	github.com/docker/buildx v0.38.2
	github.com/hashicorp/hcl/v2 v2.24.0
)
