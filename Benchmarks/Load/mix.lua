-- wrk, with one thread: 80 % reads by id, 15 % writes, 5 % lists; or only the operation that the third argument names.
-- Every response is a line of the log: operation, recipe, status, microseconds, version; and so is the start of each
-- write. A request's id states its operation, and the response repeats it.
local ffi = require("ffi")
ffi.cdef [[
typedef struct { long seconds; long nanoseconds; } moment;
int clock_gettime(int clock, moment *now);
]]

local moment = ffi.new("moment")
local recipes, lists, token, log, only = {}, {}, "", nil, nil

local function now()
    ffi.C.clock_gettime(1, moment)
    return tonumber(moment.seconds) % 100000 * 1000000 + math.floor(tonumber(moment.nanoseconds) / 1000)
end

function init(args)
    for line in io.lines(args[1] .. "/recipes.tsv") do
        local path, tag, before, rating, after = line:match("^([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)$")
        recipes[#recipes + 1] = { path = path, tag = tag, before = before, after = after, rating = tonumber(rating) }
    end
    for line in io.lines(args[1] .. "/lists.txt") do lists[#lists + 1] = line end
    token = "Bearer " .. io.lines(args[1] .. "/token.txt")()
    log = assert(io.open(args[2], "w"))
    only = args[3]
    log:setvbuf("full", 1048576)
    math.randomseed(20261121)
end

local function id(kind, index)
    return string.format("%s.%d.%d", kind, index, now())
end

-- Each recipe has at most one write in progress. Recipes with even numbers are replaced, the others rated.
local function write(kind)
    local index, recipe
    repeat
        index = 2 * math.random(math.floor(#recipes / 2)) - (kind == "rate" and 1 or 0)
        recipe = recipes[index]
    until not recipe.is_busy
    recipe.is_busy = true
    recipe.rating = recipe.rating % 5 + 1
    log:write("begin ", kind, " ", index - 1, " ", recipe.rating, "\n")
    local headers = {
        ["Authorization"] = token, ["Content-Type"] = "application/json", ["X-Request-ID"] = id(kind, index),
    }
    if kind == "rate" then
        return wrk.format("POST", recipe.path .. "/rate", headers, '{"rating":' .. recipe.rating .. "}")
    end
    headers["If-Match"] = recipe.tag
    return wrk.format("PUT", recipe.path, headers, recipe.before .. recipe.rating .. recipe.after)
end

local function draw()
    local choice = math.random(100)
    if choice <= 15 then return math.random(2) == 1 and "put" or "rate" end
    return choice <= 20 and "list" or "read"
end

function request()
    local kind = only or draw()
    if kind == "put" or kind == "rate" then return write(kind) end
    if kind == "list" then
        return wrk.format("GET", lists[math.random(#lists)], { ["X-Request-ID"] = id("list", 0) })
    end
    local index = math.random(#recipes)
    return wrk.format("GET", recipes[index].path, { ["X-Request-ID"] = id("read", index) })
end

function response(status, headers, body)
    local name, tag
    for field, value in pairs(headers) do
        local lower = field:lower()
        if lower == "x-request-id" then name = value elseif lower == "etag" then tag = value end
    end
    if not name then
        log:write("answer none 0 ", status, " 0 -\n")
        return
    end
    local kind, index, began = name:match("^(%a+)%.(%d+)%.(%d+)$")
    index = tonumber(index)
    if kind == "put" or kind == "rate" then
        recipes[index].is_busy = nil
        if kind == "put" and tag then recipes[index].tag = tag end
    end
    log:write("answer ", kind, " ", index - 1, " ", status, " ", now() - tonumber(began), " ", tag or "-", "\n")
end
