import { Search, X } from 'lucide-react'
import { useCallback, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { IconButton } from '../../ui/Button.tsx'
import { Input } from '../../ui/form/Input.tsx'
import { stillOnTheWay } from './sent-values.ts'

/** How long somebody has to pause before their text is used. */
const pauseMillis = 250

type SearchFieldProps = { label: string; placeholder: string; value: string; onChange: (value: string) => void }

/** A text filter; input is passed on after a pause; Escape and the cross clear it. */
export function SearchField({ label, placeholder, value, onChange }: SearchFieldProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(value)
  // What was last passed on, and what hasn't arrived yet: meanwhile the value is older than the text. The two are compared once a value is
  // on screen, since React may yet discard one it is still preparing.
  const passedOn = useRef(value)
  const sent = useRef<readonly string[]>([])
  useLayoutEffect(() => {
    const left = stillOnTheWay(sent.current, value)
    sent.current = left ?? []
    if (left !== null) return
    // Something else changed it: the back button, or a cleared filter.
    passedOn.current = value
    setText(value)
  }, [value])

  const changed = useRef(onChange)
  useEffect(() => {
    changed.current = onChange
  })
  const passOn = useCallback((typed: string) => {
    passedOn.current = typed
    sent.current = [...sent.current, typed]
    changed.current(typed)
  }, [])
  useEffect(() => {
    if (text === passedOn.current) return
    const timer = setTimeout(passOn, pauseMillis, text)
    return () => clearTimeout(timer)
  }, [text, passOn])

  function clear() {
    setText('')
    passOn('')
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
          <IconButton aria-label="Clear filter" className="absolute top-0 right-0 text-muted!" onClick={clear}>
            <X aria-hidden />
          </IconButton>
        )}
      </div>
    </div>
  )
}
