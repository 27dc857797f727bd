"""Chats: conversations as clients know them that send all messages again with every request, and no id of ours."""
