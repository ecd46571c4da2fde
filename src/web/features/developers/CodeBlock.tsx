import { CopyButton } from '../../ui/CopyButton.tsx'

/** Text to copy elsewhere unchanged. */
export function CodeBlock({ label, text, copy }: { label: string; text: string; copy: string }) {
  return (
    <figure aria-label={label} className="flex flex-col items-start gap-3">
      {/* Wider than phones: keyboards can reach and scroll it too. */}
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
        tabIndex={0}
        className="w-full overflow-x-auto rounded-control border border-line bg-sunken p-4 font-mono text-sm leading-relaxed"
      >
        {text}
      </pre>
      <CopyButton text={text} label={copy} />
    </figure>
  )
}
