"""Answers what the window asks apart from replies: documents, what would be replaced, what is kept, what attackers get back."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from msgspec.structs import replace

from desktop_app.chat.events import EngineNews, Noise, Progress
from desktop_app.chat.responder import DocumentRefused
from desktop_app.chat.stored import NameList, NoiseWorth
from desktop_app.engine import queries
from desktop_app.engine.keeper import Keeper
from desktop_app.engine.noise_figures import budget_set, level_of, spent, table_of, worth
from desktop_app.engine.protection import Protection
from desktop_app.engine.readers import Readers
from desktop_app.engine.recovery_table import recovered
from desktop_app.privacy.errors import ListUnreadable
from desktop_app.privacy.keeping import KeptList
from desktop_app.privacy.recognition.word_lists import values_from_file
from desktop_app.privacy.spans import Kind
from desktop_app.settings.paths import user_paths

Tell = Callable[[EngineNews], None]


class Desk:
    """Belongs to the engine's event loop. What it raises is a `ChatError`, or a fault of ours."""

    def __init__(
        self, keeper: Keeper, protection: Protection, readers: Readers, tell: Tell, forget: Callable[[str], Awaitable[None]]
    ) -> None:
        """`forget` frees what is held of a conversation that is deleted."""
        self._keeper = keeper
        self._protection = protection
        self._readers = readers
        self._tell = tell
        self._forget = forget

    async def answer(self, about: queries.About) -> object:
        """Return the value that `queries.ANSWERS` promises for this question."""
        keeper = self._keeper
        match about:
            case queries.DocumentAt(path):
                return await self._readers.read(path)
            case queries.ReviewOf(request):
                return await self._protection.review(request, lambda done, total: self._tell(Progress("protect", done, total)))
            case queries.Decide(conversation, incognito, decisions):
                return await self._protection.decide(conversation, incognito, decisions)
            case queries.Lists():
                return await keeper.run(lambda kept: [_list(names) for names in kept.keeping.lists()])
            case queries.KeepList(names):
                await self._keep_list(names)
            case queries.ImportList():
                return await self._import_list(about)
            case queries.Conversations():
                return await keeper.run(lambda kept: kept.history.entries())
            case queries.OpenConversation(conversation):
                return await keeper.run(lambda kept: kept.history.load(conversation), conversation)
            case queries.KeepBranch(conversation, protect, messages, noise):
                now = time.time()
                await keeper.run(lambda kept: kept.history.branch(conversation, now, protect, messages, noise), conversation)
            case queries.RenameConversation(conversation, title):
                await keeper.run(lambda kept: kept.history.rename(conversation, title), conversation)
            case queries.DeleteConversation(conversation):
                await self._forget(conversation)
                await keeper.delete(conversation)
            case queries.SentOf(conversation, incognito):
                return await keeper.run(lambda kept: kept.history.sent(conversation), conversation, incognito)
            case queries.RecoveredAt(model, split, protect, mu):
                return recovered(model, split, protect, mu=mu)
            case queries.NoiseSpentIn(conversation):
                return await keeper.run(lambda kept: spent(kept, conversation), conversation)
            case queries.WorthOf(noise, model):
                return await self._worth(noise, model)
            case queries.SetNoiseBudget(conversation, epsilon, delta):
                await keeper.run(lambda kept: budget_set(kept, conversation, epsilon, delta), conversation)
            case queries.Unlock(passphrase):
                await keeper.unlock(passphrase)
            case queries.GoOnWithoutLists():
                keeper.go_on_without_lists()
        return None

    async def _worth(self, noise: Noise, model: str) -> NoiseWorth:
        table = await asyncio.to_thread(table_of, model, user_paths().models, self._keeper.codes_folders)
        level = level_of(noise, table)
        rho = await self._keeper.run(lambda kept: kept.proofs(table.name, level))
        return await asyncio.to_thread(worth, noise, level, rho)

    async def _keep_list(self, names: NameList) -> None:
        kept_list = KeptList(name=names.name, kind=Kind(names.kind), values=names.values, never=names.never)
        await self._keeper.run(lambda kept: kept.keeping.keep_list(kept_list))

    async def _import_list(self, asked: queries.ImportList) -> NameList:
        try:
            read = await asyncio.to_thread(values_from_file, Path(asked.path))
        except ListUnreadable as error:
            raise DocumentRefused(str(error)) from error
        lists = await self._keeper.run(lambda kept: kept.keeping.lists())
        before = next((_list(it) for it in lists if it.name == asked.name), None)
        before = before or NameList(name=asked.name, kind=asked.kind, values=[])
        names = replace(before, values=list(dict.fromkeys([*before.values, *read.values])))
        await self._keep_list(names)
        return replace(names, left_out=read.left_out)


def _list(names: KeptList) -> NameList:
    return NameList(name=names.name, kind=names.kind, values=names.values, never=names.never)
