import { Button, Group, Modal, NumberInput, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call, id } from "../api/client";
import { client } from "../api/queries";
import type { Conversation } from "../api/types";
import { when } from "../ui/format";
import { note, tried } from "../ui/say";

interface Link {
  id: string;
  state: "open" | "expired" | "revoked";
  expires_at: string;
}
const DAYS = 7;

/** Links by which a conversation is read: made, copied, listed and revoked. */
export function Share({ entry, onDone }: { entry: Conversation; onDone: () => void }) {
  const { t } = useTranslation();
  const [days, setDays] = useState<number | string>(DAYS);
  const [made, setMade] = useState<{ id: string; address: string } | null>(null);
  const path = `conversations/${id(entry.id)}/shares`;
  const key = ["shares", entry.id];
  const links = useQuery({ queryKey: key, queryFn: () => call<{ items: Link[] }>("GET", path), staleTime: 0 });
  const known = links.data?.items ?? [];
  const make = async () => {
    const link = await tried(call<Link & { path: string }>("POST", path, { days: Number(days) || DAYS }));
    if (link) setMade({ id: link.id, address: new URL(link.path, location.origin).href });
    client.invalidateQueries({ queryKey: key });
  };
  const revoke = async (link: Link) => {
    await tried(call("DELETE", `shares/${id(link.id)}`));
    if (made?.id === link.id) setMade(null);
    client.invalidateQueries({ queryKey: key });
  };
  const copy = async (address: string) => {
    await tried(navigator.clipboard.writeText(address));
    note(t("share.copied"));
  };
  return (
    <Modal opened onClose={onDone} title={t("conv.share")} closeButtonProps={{ "aria-label": t("app.close") }}>
      <Text size="sm">{t("share.about")}</Text>
      <Group align="end" mt="sm">
        <NumberInput label={t("share.days")} value={days} onChange={setDays} min={1} max={90} w={130} />
        <Button id="make-link" onClick={make}>
          {t("share.make")}
        </Button>
      </Group>
      {made && (
        <Group align="end" mt="sm" wrap="nowrap">
          <TextInput id="made-link" label={t("share.link")} value={made.address} readOnly flex={1} />
          <Button variant="default" onClick={() => copy(made.address)}>
            {t("share.copy")}
          </Button>
        </Group>
      )}
      <Text component="h3" size="sm" fw={600} mt="md" mb={4}>
        {t("share.links")}
      </Text>
      {links.isSuccess && known.length === 0 && <Text size="sm">{t("share.none")}</Text>}
      <ul id="links" style={{ listStyle: "none", margin: 0, padding: 0 }}>
        {known.map((link) => (
          <li key={link.id}>
            <Group justify="space-between" mih={34}>
              <Text size="sm">{t(`share.${link.state}`, { time: when(link.expires_at) })}</Text>
              {link.state === "open" && (
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="red"
                  aria-label={t("share.revokeIt", { time: when(link.expires_at) })}
                  onClick={() => revoke(link)}
                >
                  {t("share.revoke")}
                </Button>
              )}
            </Group>
          </li>
        ))}
      </ul>
    </Modal>
  );
}
