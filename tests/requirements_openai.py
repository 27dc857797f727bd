"""What is promised of the wire of OpenAI."""

from __future__ import annotations

from collections.abc import Mapping

OPENAI: Mapping[str, str] = {
    "openai-chat-goes-on": "A chat whose client sends all messages again goes on in its conversation, without any id.",
    "openai-chat-branches": "A message that goes back behind what was said begins a conversation with the same files.",
    "openai-chat-strangers": "No owner, tenant or person reaches the chat or the files of another, by words or names.",
    "openai-named-chats": "A chat that its client names goes on whatever is left out; tasks of programs stay outside.",
    "openai-consent-in-words": "What a run asks is a message that says how to answer, and the next one answers it.",
    "openai-leaving": "A run goes on whenever its client leaves, and ends where its person says something else.",
    "openai-streams": "What is streamed is what is answered whole, with true counts of tokens.",
    "openai-errors": "A run that fails is an error of the wire, whole and streamed.",
    "openai-bad-input": "What cannot be used, or is not there, is refused by its place in the request.",
    "openai-files-of-messages": "Files and tables of messages are data sets, each stored once in its conversation.",
    "openai-files": "Files are kept, listed, read, deleted and expire for their owner alone.",
    "openai-keys": "A key of ours is needed where other faces need one; on loopback any word does.",
    "openai-sdk": "OpenAI's SDK drives the product: with the built-in analyst, with a language model, over restarts.",
    "openai-clients": "The requests of chat programs are taken in the shapes in which these send them.",
}
