-- wrk: only reads by id. The first argument is the folder with the files that the runner prepared.
local targets, next_one = {}, 0

function init(args)
    for line in io.lines(args[1] .. "/recipes.tsv") do
        targets[#targets + 1] = wrk.format("GET", "/v1/recipes/" .. line:match("^[^\t]+"))
    end
end

-- All in turn, in an order that differs from the store's.
function request()
    next_one = (next_one + 617) % #targets
    return targets[next_one + 1]
end
