import { type RefObject, useEffect, useRef, useState } from 'react'

/**
 * Whether an element has been in view, or within some of the screen's height of it: content further down isn't worth requesting before
 * anybody gets there.
 */
export function useSeen<E extends HTMLElement>(within: '25%' | '50%' | '100%'): [RefObject<E | null>, boolean] {
  const ref = useRef<E>(null)
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    const element = ref.current
    if (element === null || seen) return
    const observer = new IntersectionObserver((entries) => setSeen(entries.some(({ isIntersecting }) => isIntersecting)), {
      rootMargin: within,
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [seen, within])
  return [ref, seen]
}
