import { Search, X } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { IconButton } from '../../ui/Button.tsx'
import { Input } from '../../ui/Input.tsx'

/** How long somebody has to pause before their text is looked for. */
const pauseMillis = 250

type SearchFieldProps = { label: string; placeholder: string; value: string; onChange: (value: string) => void }

/** A text filter; what is typed is passed on after a pause, Escape and the cross clear it. */
export function SearchField({ label, placeholder, value, onChange }: SearchFieldProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(value)
  const [known, setKnown] = useState(value)
  // The address has changed by something else than this field: the back button, or a cleared filter.
  if (value !== known) {
    setKnown(value)
    setText(value)
  }
  const changed = useRef(onChange)
  useEffect(() => {
    changed.current = onChange
  })
  useEffect(() => {
    if (text === known) return
    const timer = setTimeout(() => {
      setKnown(text)
      changed.current(text)
    }, pauseMillis)
    return () => clearTimeout(timer)
  }, [text, known])

  function clear() {
    setText('')
    setKnown('')
    onChange('')
    input.current?.focus()
  }

  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block font-medium">
        {label}
      </label>
      <div className="relative">
        <Search aria-hidden className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted" />
        <Input
          id={id}
          ref={input}
          type="text"
          inputMode="search"
          autoComplete="off"
          maxLength={200}
          placeholder={placeholder}
          className="px-9!"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && text !== '') clear()
          }}
        />
        {text !== '' && (
          <IconButton aria-label="Clear the filter" className="absolute top-0 right-0 text-muted!" onClick={clear}>
            <X aria-hidden />
          </IconButton>
        )}
      </div>
    </div>
  )
}
