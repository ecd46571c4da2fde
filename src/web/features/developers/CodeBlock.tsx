import { CopyButton } from '../../ui/CopyButton.tsx'

/** Text to be put somewhere else as it is. */
export function CodeBlock({ label, text, copy }: { label: string; text: string; copy: string }) {
  return (
    <figure aria-label={label} className="flex flex-col items-start gap-3">
      {/* Wider than phones: reached and moved by keyboard, too. */}
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
