import { useEffect, useState, type RefObject } from 'react'

type Edges = { start: boolean; end: boolean }

/** Whether there is more to scroll to sideways, before and after what is in sight. */
export function useScrollEdges(ref: RefObject<HTMLElement | null>): Edges {
  const [edges, setEdges] = useState<Edges>({ start: false, end: false })
  useEffect(() => {
    const element = ref.current
    if (element === null) return
    const look = (): void => {
      const { scrollLeft, clientWidth, scrollWidth } = element
      const start = scrollLeft > 1
      const end = scrollLeft + clientWidth < scrollWidth - 1
      setEdges((before) => (before.start === start && before.end === end ? before : { start, end }))
    }
    look()
    const observer = new ResizeObserver(look)
    observer.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [ref])
  return edges
}
