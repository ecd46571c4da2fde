import { Check, Copy } from 'lucide-react'
import { Button } from './Button.tsx'
import { useCopy } from './use-copy.ts'

/** Puts a text on the clipboard and says so on itself. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { copied, copy } = useCopy(text)
  return (
    <Button onClick={() => void copy()}>
      {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
      <span aria-live="polite">{copied ? 'Copied' : label}</span>
    </Button>
  )
}
