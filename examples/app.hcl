# What the examples `figment` and `config_crate` merge with defaults and the environment.
name    = "shop"
workers = 2 * 4

database {
  host = "db.internal"
  port = 5432
}

route "/" {
  to = "web"
}

route "/api" {
  to = "api"
}
