/** A small lark over a rising line. The same drawing is public/favicon.svg. */
export function LogoMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden className={className}>
      <rect width="32" height="32" rx="7" className="fill-ink" />
      <path
        d="M5 26.5 11.5 22l5.5 2.5L27 17"
        fill="none"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="stroke-dawn"
      />
      <path
        d="M4.5 7.5c4.5 0 7.8 1.5 9.8 4.3 1-2.3 2.7-3.5 5-3.5 2 0 3.5.9 4.3 2.5l3.4 1.2-3.3 1.3c-.6 3.3-3.3 5.4-7.2 5.4-3 0-5.4-.9-7.2-2.7l-4.3.5 2.6-2.4C6 12.3 4.9 10.1 4.5 7.5Z"
        className="fill-on-ink"
      />
    </svg>
  )
}

export function Logo() {
  return (
    <span className="inline-flex items-center gap-2">
      <LogoMark className="size-7" />
      <span className="text-[1rem] font-semibold tracking-tight">Ranklark</span>
    </span>
  )
}
