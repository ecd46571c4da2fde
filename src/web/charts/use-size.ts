import { useLayoutEffect, useRef, useState, type RefObject } from 'react'

/** An element's width and height in pixels, known before the first paint; 0 until then. */
export function useSize<E extends HTMLElement>(): [RefObject<E | null>, width: number, height: number] {
  const ref = useRef<E>(null)
  const [width, setWidth] = useState(0)
  const [height, setHeight] = useState(0)
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return
    const measure = () => {
      setWidth(element.clientWidth)
      setHeight(element.clientHeight)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, width, height]
}
