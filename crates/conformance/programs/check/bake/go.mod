module hcl-lr-check-bake

go 1.24

require github.com/docker/buildx v0.38.2
