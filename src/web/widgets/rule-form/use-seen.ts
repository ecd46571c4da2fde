import { useEffect, useRef, useState, type RefObject } from 'react'

/** Whether an element has been in view, or within a screen of it: content further down isn't worth requesting before anybody gets there. */
export function useSeen<E extends HTMLElement>(): [RefObject<E | null>, boolean] {
  const ref = useRef<E>(null)
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    const element = ref.current
    if (element === null || seen) return
    const observer = new IntersectionObserver((entries) => setSeen(entries.some(({ isIntersecting }) => isIntersecting)), {
      rootMargin: '100%',
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [seen])
  return [ref, seen]
}
