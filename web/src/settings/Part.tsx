import { Paper, Title } from "@mantine/core";

/** A part of the settings under its title. */
export function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <Paper withBorder p="md" mb="md" component="section" aria-label={title}>
      <Title order={3} size="h5" mb="sm">
        {title}
      </Title>
      {children}
    </Paper>
  );
}
