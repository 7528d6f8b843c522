import { type ComponentType, lazy, type LazyExoticComponent } from 'react'
import { loadTexts } from '../texts/load-texts.ts'

/**
 * A page or drawer of the console that is neither a list nor a form, loaded when it is shown, with the texts and
 * styles of all of them.
 */
export function lazyPart<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    const [part] = await Promise.all([load(), loadTexts('more'), import('../styles/more.css')])
    return { default: part }
  })
}
