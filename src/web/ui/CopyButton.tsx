import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from './Button.tsx'
import { toast } from './overlay/toast.ts'

/** Copies a text and confirms it on the button. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { copied, copy } = useCopy(text)
  return (
    <Button onClick={() => void copy()}>
      {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
      <span aria-live="polite">{copied ? 'Copied' : label}</span>
    </Button>
  )
}

const shownMillis = 2_000

/** Copies a text; `copied` is true for a moment afterwards. */
export function useCopy(text: string): { copied: boolean; copy: () => Promise<void> } {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), shownMillis)
    return () => clearTimeout(timer)
  }, [copied])

  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      // Browsers forbid it outside https, and people can too.
      toast.error('Not Copied', 'Your browser blocked copying. Select the text and copy it yourself.')
    }
  }
  return { copied, copy }
}
