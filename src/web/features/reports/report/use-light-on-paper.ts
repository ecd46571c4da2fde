import { useEffect } from 'react'

/** Paper is white: what is printed from a dark screen would be light on it. Only while this is on screen. */
export function useLightOnPaper(): void {
  useEffect(() => {
    const paper = window.matchMedia('print')
    let wasDark = false
    const dress = () => {
      const { classList } = document.documentElement
      if (paper.matches) wasDark = classList.contains('dark')
      if (wasDark) {
        classList.toggle('dark', !paper.matches)
        classList.toggle('light', paper.matches)
      }
    }
    paper.addEventListener('change', dress)
    return () => paper.removeEventListener('change', dress)
  }, [])
}
