import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { IconButton } from '../Button.tsx'
import { toast, type ToastMessage, toastStore } from './toast.ts'

const lifeMillis = { success: 5_000, error: 10_000 }

/**
 * The one visible toast. Its live regions always exist, or screen readers would miss the first message; they are labeled and placed beside
 * the app, so that an open dialog neither hides nor covers them.
 */
export function Toaster() {
  const message = useSyncExternalStore(toastStore.subscribe, toastStore.read)
  const shown = message && <Toast key={message.id} message={message} />
  return createPortal(
    <div className="pointer-events-none fixed right-4 bottom-4 left-4 z-30 sm:left-auto sm:w-96">
      <output aria-live="polite">{message?.tone === 'success' && shown}</output>
      <div role="alert" aria-live="assertive">
        {message?.tone === 'error' && shown}
      </div>
    </div>,
    document.body,
  )
}

function Toast({ message: { id, tone, title, description } }: { message: ToastMessage }) {
  // A toast stays while it has the pointer or the focus.
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (held) return
    const timer = setTimeout(() => toast.dismiss(id), lifeMillis[tone])
    return () => clearTimeout(timer)
  }, [held, id, tone])

  return (
    // Phrasing content only, as required inside an output element.
    <span
      role="presentation"
      className="pointer-events-auto flex animate-[rise_150ms_ease-out] items-start gap-3 rounded-card border border-line bg-surface p-4 shadow-float"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {tone === 'error' ? (
        <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-critical" />
      ) : (
        <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-positive" />
      )}
      <span className="min-w-0 flex-1 break-words">
        <span className="block font-semibold">{title}</span>
        {description !== null && <span className="mt-0.5 block text-muted">{description}</span>}
      </span>
      <IconButton aria-label="Dismiss" className="-my-2 -mr-2" onClick={() => toast.dismiss(id)}>
        <X aria-hidden />
      </IconButton>
    </span>
  )
}
