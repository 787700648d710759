-- wrk: only GET. The first argument is a file with one path on each line, up to a tab; the second, if there is one, a token.
local requests, next_one = {}, 0

function init(args)
    local headers = args[2] and { ["Authorization"] = "Bearer " .. args[2] } or {}
    for line in io.lines(args[1]) do requests[#requests + 1] = wrk.format("GET", line:match("^[^\t]+"), headers) end
end

-- All in turn, in an order that differs from the store's.
function request()
    next_one = (next_one + 617) % #requests
    return requests[next_one + 1]
end
