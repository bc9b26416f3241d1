port = 80
url = "http://localhost:${port}/"
broken = 'x'
