const PATHS = {
  plus: "M12 5v14M5 12h14",
  send: "M12 19V5M6 11l6-6 6 6",
  stop: "M7 7h10v10H7z",
  clip: "M20 11.5l-8 8a5 5 0 0 1-7-7l8.5-8.5a3.3 3.3 0 0 1 4.7 4.7L9.7 17.2a1.7 1.7 0 0 1-2.4-2.4l7.2-7.2",
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM20 20l-4-4",
  dots: "M5 12h.01M12 12h.01M19 12h.01",
  pin: "M9 4h6l-1 6 4 4H6l4-4zM12 14v6",
  table: "M4 5h16v14H4zM4 10h16M10 5v14",
  data: "M4 6c0-4 16-4 16 0s-16 4-16 0v12c0 4 16 4 16 0V6M4 12c0 4 16 4 16 0",
  flow: "M6 4a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM18 16a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM6 8v4a4 4 0 0 0 4 4h6",
  lanes: "M4 6h10M4 12h16M4 18h7",
  gear: "M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.2 2.2M16.2 16.2l2.2 2.2M18.4 5.6l-2.2 2.2M7.8 16.2l-2.2 2.2",
  keyboard: "M3 7h18v10H3zM7 10.5h.01M11 10.5h.01M15 10.5h.01M7 14h10",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M19 5l-1.4 1.4M6.4 17.6L5 19",
  check: "M5 12l5 5 9-10",
  cross: "M6 6l12 12M18 6L6 18",
  alert: "M12 8v5M12 16.5v.01M12 3l9.5 17h-19z",
  up: "M6 14l6-6 6 6",
  down: "M6 10l6 6 6-6",
  trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  pencil: "M4 20l1-5L16 4l4 4L9 19z",
  copy: "M9 9h11v11H9zM5 15V4h11",
  download: "M12 4v11M7 11l5 5 5-5M5 20h14",
  file: "M6 3h8l4 4v14H6zM14 3v4h4",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  key: "M15 4a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM11 12l-7 7v2h4v-3h3",
  panel: "M4 5h16v14H4zM11 5v14",
  undo: "M9 7L4 12l5 5M4 12h10a6 6 0 0 1 6 6",
  retry: "M4 12a8 8 0 1 1 2.5 5.8M4 20v-5h5",
  chat: "M4 5h16v11H10l-5 4v-4H4z",
} as const;
export type IconName = keyof typeof PATHS;

/** A small drawing beside words, or within a button that has a label of its own. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
