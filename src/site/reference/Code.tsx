import type { ReactNode } from 'react'

/** A block of code, as the server makes them for operations too; it can be scrolled by keyboard. */
export function Code({ label, children }: { label: string; children: ReactNode }) {
  return (
    <figure className="code">
      <figcaption>{label}</figcaption>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0}>
        <code>{children}</code>
      </pre>
    </figure>
  )
}
