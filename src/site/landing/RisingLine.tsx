/** The logo's lark and line, drawn large: days of figures, and the one that is told. */
export function RisingLine({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 576 320" aria-hidden className={className} fill="none">
      <path
        d="M0 262 48 246 96 256 144 228 192 238 240 206 288 216 336 176 384 190 432 142 480 150 528 92"
        className="stroke-dawn"
        strokeWidth="3"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cx="528" cy="92" r="6" className="fill-dawn" />
      <path
        transform="translate(428 6) scale(3.2)"
        d="M4.5 7.5c4.5 0 7.8 1.5 9.8 4.3 1-2.3 2.7-3.5 5-3.5 2 0 3.5.9 4.3 2.5l3.4 1.2-3.3 1.3c-.6 3.3-3.3 5.4-7.2 5.4-3 0-5.4-.9-7.2-2.7l-4.3.5 2.6-2.4C6 12.3 4.9 10.1 4.5 7.5Z"
        className="fill-ink dark:fill-brand"
      />
    </svg>
  )
}
