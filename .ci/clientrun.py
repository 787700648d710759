"""A generated client at work: every operation but the stream of changes, which does not end."""
import io
import json
import re
import uuid

from answers import Answers
from served import Server
from stores import Failure

JPEG = b"\xff\xd8\xff\xe0\0\x10JFIF\0"
ENDLESS = {"followChanges"}


class ClientRun:
    """One run against a server with a store in memory."""

    def __init__(self, larder, description, folder):
        self.server = Server(larder, "memory:", "off", folder / "log")
        self.answers = Answers(description)
        self.operations = {operation["operationId"]: operation["tags"][0] for operation in self.answers.operations}
        self.admin = self.client(self.server.token)

    def client(self, token):
        from client import AuthenticatedClient
        host, port = self.server.address
        return AuthenticatedClient(
            base_url=f"http://{host}:{port}", token=token, raise_on_unexpected_status=True,
            httpx_args={"event_hooks": {"response": [self.answers.judge]}})

    def run(self):
        """Uses the client.

        Returns: the number of operations that were used, and of responses that were judged.
        """
        try:
            for part in [self.tags, self.recipes, self.photo, self.brands, self.cookbooks, self.users, self.transfer,
                         self.service]:
                part()
        finally:
            status, _ = self.server.end(15)
        if status != 0:
            raise Failure(f"typed: the server ended with {status}")
        unused = set(self.operations) - self.answers.used - ENDLESS
        if unused:
            raise Failure(f"typed: not used: {', '.join(sorted(unused))}")
        return len(self.answers.used), self.answers.count

    def call(self, operation, *arguments, status=200, client=None, **named):
        """Calls an operation by its function, and expects a status."""
        name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", operation).lower()
        module = __import__(f"client.api.{self.operations[operation]}.{name}", fromlist=["sync_detailed"])
        response = module.sync_detailed(*arguments, client=client or self.admin, **named)
        if response.status_code != status:
            raise Failure(f"typed: {operation} gave {response.status_code}, not {status}: {response.content[:500]}")
        return response

    def pages(self, operation, *arguments, **named):
        """The items of all pages of one item each; their number must be the total."""
        items, after = [], {}
        while True:
            page = self.call(operation, *arguments, limit=1, total=True, **named, **after).parsed
            items += page.items
            if page.next_ is None:
                expect(page.total == len(items), f"{operation}: {len(items)} items, total {page.total}")
                return items
            after = {"after": page.next_}

    def tags(self):
        from client.models import MergeRequest, TagContent, TagMembers
        made = [self.call("createTag", status=201, body=TagContent(name=name)).parsed for name in ["one", "two", "three"]]
        expect([tag.name for tag in self.pages("listTags")] == ["one", "three", "two"], "the pages of tags")
        problem = self.call("createTag", status=409, body=TagContent(name="one")).parsed
        expect(problem.errors[0].pointer == "/name", "the place of a conflict")
        one = self.call("readTag", str(made[0].id))
        expect(one.parsed == made[0] and made[0].created_at is not None, "a tag that is read again")
        tag = one.headers["ETag"]
        self.call("readTag", str(made[0].id), if_none_match=tag, status=304)
        self.call("replaceTag", str(made[0].id), if_match=tag, body=TagContent(name="ones"))
        self.call("changeTag", str(made[0].id), if_match=tag, body=TagMembers(name="uno"), status=412)
        self.call("changeTag", str(made[0].id), if_match="*", body=TagMembers(name="uno"))
        key = str(uuid.uuid4())
        merge = MergeRequest(source=str(made[1].id), target=str(made[0].id))
        for _ in range(2):
            expect(self.call("mergeTags", body=merge, idempotency_key=key).parsed.recipes == 0, "merged tags")
        self.call("deleteTag", str(made[2].id), if_match="*", status=204)
        self.call("readTag", str(made[2].id), status=404)
        self.tag = made[0]

    def recipes(self):
        from client.models import IngredientContent, RateRequest, RecipeContent, RecipeMembers, StepContent, TagOfRecipeContent
        content = RecipeContent(
            name="Lentil soup", difficulty=2, cooking_minutes=20, tags=[TagOfRecipeContent(id=str(self.tag.id))],
            steps=[StepContent(text="Cook.", timer_seconds=60)],
            ingredients=[IngredientContent(text="200 g of lentils", quantity=200, unit="g")])
        recipe = self.call("createRecipe", status=201, body=content).parsed
        self.call("createRecipe", status=422, body=RecipeContent(name=" "))
        self.call("createRecipe", status=201, body=RecipeContent(name="Bread"))
        expect(len(self.pages("listRecipes")) == 2, "the pages of recipes")
        found = self.call("listRecipes", name="lentil", under=30, tag=[str(self.tag.id)]).parsed.items
        expect(found == [recipe], "a filtered list")
        rated = self.call("rateRecipe", str(recipe.id), body=RateRequest(rating=4)).parsed
        expect(rated.rating == 4, "a rating")
        # What was not set in a patch stays, also where a new recipe would get a default.
        changed = self.call("changeRecipe", str(recipe.id), if_match="*", body=RecipeMembers(name="Soup")).parsed
        expect((changed.name, changed.rating, changed.difficulty) == ("Soup", 4, 2), f"a patched recipe: {changed}")
        # What was read can be sent back.
        read = self.call("readRecipe", str(recipe.id))
        again = self.call("replaceRecipe", str(recipe.id), if_match=read.headers["ETag"],
                          body=RecipeContent.from_dict(read.parsed.to_dict()))
        expect(again.parsed == read.parsed and again.headers["ETag"] == read.headers["ETag"], "a recipe that is sent back")
        self.recipe = again.parsed

    def photo(self):
        from client.types import File
        recipe = str(self.recipe.id)
        self.call("readPhoto", recipe, status=404)
        put = self.call("putPhoto", recipe, body=File(io.BytesIO(JPEG)), if_none_match="*", status=201)
        expect(self.call("readPhoto", recipe).parsed.payload.read() == JPEG, "the bytes of a photo")
        self.call("putPhoto", recipe, body=File(io.BytesIO(JPEG)), if_match=put.headers["ETag"], status=204)
        self.call("deletePhoto", recipe, if_match='"other"', status=412)
        self.call("deletePhoto", recipe, if_match=put.headers["ETag"], status=204)
        expect(self.call("readRecipe", recipe).parsed.photo is None, "a recipe without its photo")

    def brands(self):
        from client.models import BrandContent, BrandMembers
        brand = self.call("createBrand", status=201, body=BrandContent(name="De Cecco", language="it")).parsed
        expect(self.pages("listBrands", language="it") == [brand], "the brands of a language")
        content = BrandContent(name="De Cecco", language="it", keywords=["pasta"])
        self.call("replaceBrand", str(brand.id), if_match="*", body=content)
        self.call("changeBrand", str(brand.id), if_match="*", body=BrandMembers(language="fr"))
        expect(self.call("readBrand", str(brand.id)).parsed.keywords == ["pasta"], "a patched brand")
        self.call("deleteBrand", str(brand.id), if_match="*", status=204)

    def cookbooks(self):
        from client.models import CookRequest, CookbookContent, CookbookMembers, SessionContent
        recipe = str(self.recipe.id)
        cookbook = self.call("createCookbook", status=201, body=CookbookContent(name="Mine", favourites=[recipe])).parsed
        self.call("replaceCookbook", str(cookbook.id), if_match="*", body=CookbookContent(name="Ours"))
        self.call("changeCookbook", str(cookbook.id), if_match="*", body=CookbookMembers(favourites=[recipe]))
        session = self.call("cookRecipe", recipe, status=201, body=CookRequest(repetitions=3)).parsed
        cookbook = self.call("readCookbook", str(cookbook.id)).parsed
        expect((cookbook.name, cookbook.favourites, cookbook.history) == ("Ours", [recipe], [recipe]), f"{cookbook}")
        self.call("createSession", status=201, body=SessionContent(recipe=recipe))
        expect(len(self.pages("listSessions", since=session.started_at)) == 2, "the sessions since the first")
        earlier = session.started_at.replace(microsecond=0)
        changed = self.call("changeSession", str(session.id), if_match="*", body=SessionContent(started_at=earlier)).parsed
        expect((changed.repetitions, changed.started_at) == (3, earlier), f"a patched session: {changed}")
        self.call("replaceSession", str(session.id), if_match="*", body=SessionContent(recipe=recipe))
        expect(self.call("readSession", str(session.id)).parsed.repetitions == 1, "a replaced session")
        self.call("deleteSession", str(session.id), if_match="*", status=204)
        expect(len(self.pages("listCookbooks")) == 1, "the pages of cookbooks")
        self.call("deleteCookbook", str(cookbook.id), if_match="*", status=204)

    def users(self):
        from client.models import RecipeContent, Role, TokenRequest, UserContent, UserMembers
        me = self.call("readMe").parsed
        expect(me.user.role == Role.ADMIN and me.token.expires_at > me.token.created_at, f"the caller: {me}")
        self.call("changeUser", str(me.user.id), if_match="*", body=UserMembers(role=Role.COOK), status=409)
        self.call("deleteUser", str(me.user.id), if_match="*", status=409)
        content = UserContent(email="bob@example.org", first_name="Bob", last_name="Lee")
        bob = str(self.call("createUser", status=201, body=content).parsed.id)
        self.call("createUser", status=409, body=content)
        self.call("replaceUser", bob, if_match="*", body=content)
        expect(self.call("changeUser", bob, if_match="*", body=UserMembers(first_name="Rob")).parsed.role == Role.READER,
               "the role of a user whose name changes")
        tokens = [self.call("createToken", bob, status=201, body=TokenRequest(label=f"token {number}")).parsed
                  for number in range(3)]
        expect({token.id for token in self.pages("listTokens", bob)} == {token.id for token in tokens}, "the tokens")
        as_bob = self.client(tokens[0].token)
        expect(str(self.call("readMe", client=as_bob).parsed.user.id) == bob, "the caller")
        self.call("createRecipe", status=403, client=as_bob, body=RecipeContent(name="His"))
        self.call("revokeToken", bob, str(tokens[0].id), status=204)
        self.call("readMe", status=401, client=as_bob)
        expect(len(self.pages("listUsers")) == 2, "the pages of users")
        self.call("readUser", bob)
        self.call("deleteUser", bob, if_match="*", status=204)

    def transfer(self):
        from client.models import RecipeDocument
        from client.types import File
        lines = "".join(json.dumps({"@type": "Recipe", "identifier": f"r{number}", "name": f"Recipe {number}"}) + "\n"
                        for number in range(3)) + '{"@type":"Recipe"}\n'
        outcomes = self.imported(File(io.BytesIO(lines.encode())))
        expect(outcomes == ["inserted"] * 3 + ["failed"], f"an import: {outcomes}")
        exported = self.call("exportRecipes").parsed.payload.read()
        expect(len(exported.splitlines()) == 5, "an export")
        expect(self.imported(File(io.BytesIO(exported))) == ["unchanged"] * 5, "an export that is imported")
        document = RecipeDocument.from_dict({"@type": "Recipe", "identifier": "r0", "name": "Other"})
        expect(self.imported(document) == ["updated"], "a document")
        self.call("deleteRecipe", str(self.recipe.id), if_match="*", status=204)

    def imported(self, body):
        import models
        *lines, summary = self.call("importRecipes", body=body).parsed.payload.read().splitlines()
        models.ImportSummary.model_validate_json(summary)
        return [models.ImportLine.model_validate_json(line).outcome.value for line in lines]

    def service(self):
        from client.models import ReadAssetFile
        expect(self.call("isLive").parsed.status == "live", "liveness")
        expect(self.call("isReady").parsed.writes, "readiness")
        self.call("readMetrics")
        self.call("readDescription")
        self.call("readDescriptionAsJSON")
        for operation in ["showDocs", "showCookbook"]:
            self.call(operation)
        self.call("readAsset", ReadAssetFile.API_JS)


def expect(holds, what):
    if not holds:
        raise Failure(f"typed: {what} is not as expected")
