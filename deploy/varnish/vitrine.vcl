vcl 4.1;

# Varnish in front of Vitrine: keeps what visitors get, passes everybody else on, and is purged by tag.
# Needs vmod_xkey (Debian: varnish-modules). TLS ends before Varnish, at a proxy that sets X-Forwarded-Proto.
# vitrine serve --public-max-age 60 --purge-url http://127.0.0.1:6081/ --trusted-proxy 127.0.0.1

import std;
import xkey;

backend default {
    .host = "127.0.0.1";
    .port = "8000";
}

# The Vitrine servers, which say what has changed.
acl servers {
    "localhost";
    "127.0.0.1";
    "::1";
}

# The proxies that end TLS before Varnish. Other clients cannot choose the scheme or the host of links.
acl proxies {
    "localhost";
    "127.0.0.1";
    "::1";
}

sub vcl_recv {
    if (req.method == "PURGE") {
        if (client.ip !~ servers) {
            return (synth(403));
        }
        set req.http.X-Purged = xkey.purge(req.http.Surrogate-Key);
        return (synth(200));
    }

    # Links in responses begin with the scheme: it is a part of the key, in vcl_hash.
    unset req.http.X-Forwarded-Host;
    if (client.ip !~ proxies || req.http.X-Forwarded-Proto != "https") {
        set req.http.X-Forwarded-Proto = "http";
    }
    set req.http.Host = std.tolower(req.http.Host);

    if (req.method != "GET" && req.method != "HEAD") {
        return (pass);
    }
    # Requests of people who are signed in, have chosen a language or a theme, or fill in a form. Behind https, names begin with __Host-.
    if (req.http.Authorization || req.http.Prefer ||
        req.http.Cookie ~ "(^|;\s*)(__Host-)?(vitrine_|csrftoken|look|language|known_device)") {
        return (pass);
    }
    # Cookies of others, such as those of a site on the parent domain.
    unset req.http.Cookie;

    # Fewer variants. Vitrine sees the same headers, so that no response can be stored under a wrong one.
    if (req.http.Accept ~ "^text/html") {
        set req.http.Accept = "text/html, */*;q=0.8";
    }
    if (req.http.Accept-Language ~ "(?i)^es(-[a-z0-9]+)*\s*(,|$)") {
        set req.http.Accept-Language = "es";
    } else if (req.http.Accept-Language ~ "(?i)^de(-[a-z0-9]+)*\s*(,|$)") {
        set req.http.Accept-Language = "de";
    } else if (req.http.Accept-Language ~ "(?i)^ar(-(?!xb)[a-z0-9]+)*\s*(,|$)") {
        set req.http.Accept-Language = "ar";
    } else if (req.http.Accept-Language !~ "(?i)(es|de|ar)") {
        unset req.http.Accept-Language;
    }
    return (hash);
}

sub vcl_hash {
    # The built-in part adds the URL and the host.
    hash_data(req.http.X-Forwarded-Proto);
}

sub vcl_backend_response {
    # Vitrine says of each response whether it may be kept. Nothing is kept without its word, nor a moment longer:
    # s-maxage is the time to live, stale-while-revalidate the grace.
    if (beresp.http.Cache-Control !~ "(s-maxage|^public)" || beresp.http.Set-Cookie || beresp.status >= 400) {
        # Remembers for two minutes that requests for it need not wait for each other.
        set beresp.uncacheable = true;
        set beresp.ttl = 120s;
        set beresp.grace = 0s;
        return (deliver);
    }
    if (beresp.http.Cache-Control !~ "stale-while-revalidate") {
        set beresp.grace = 0s;
    }
    set beresp.keep = 0s;
    # Tags: vmod_xkey reads the header xkey.
    set beresp.http.xkey = beresp.http.Surrogate-Key;
}

sub vcl_deliver {
    unset resp.http.xkey;
    unset resp.http.Surrogate-Key;
    unset resp.http.Cache-Tag;
    # Browsers ask each time, and mostly get a 304.
    if (resp.http.Cache-Control ~ "s-maxage") {
        set resp.http.Cache-Control = "no-cache";
    }
    if (obj.hits > 0) {
        set resp.http.X-Cache = "HIT";
    } else {
        set resp.http.X-Cache = "MISS";
    }
}

sub vcl_synth {
    if (req.method == "PURGE" && resp.status == 200) {
        set resp.http.Content-Type = "text/plain";
        synthetic("Purged: " + req.http.X-Purged + {"
"});
        return (deliver);
    }
}
