# The parts of a stack other than rulesets, managed by Cloudflare's Terraform provider.
terraform {
  required_providers {
    cloudflare = { source = "cloudflare/cloudflare" }
  }
}

variable "base_url" { type = string }
variable "account_id" { type = string }
variable "api_token" { type = string }

provider "cloudflare" {
  base_url  = var.base_url
  api_token = var.api_token
}

resource "cloudflare_zone" "shop" {
  account = { id = var.account_id }
  name    = "shop.example.net"
  type    = "full"
}

resource "cloudflare_dns_record" "www" {
  zone_id = cloudflare_zone.shop.id
  name    = "www.shop.example.net"
  type    = "A"
  content = "192.0.2.10"
  ttl     = 1
  proxied = true
}

resource "cloudflare_zone_setting" "tls" {
  zone_id    = cloudflare_zone.shop.id
  setting_id = "min_tls_version"
  value      = "1.2"
}

resource "cloudflare_list" "office" {
  account_id  = var.account_id
  name        = "office"
  kind        = "ip"
  description = "Networks of the office"
}

resource "cloudflare_list_item" "office" {
  account_id = var.account_id
  list_id    = cloudflare_list.office.id
  ip         = "198.51.100.0/24"
}

output "zone_id" { value = cloudflare_zone.shop.id }
