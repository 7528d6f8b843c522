import { type EntryState, type Locale, t } from '@jiaowu/api'

/** The values of a sheet, its progress, and who locked it. */
export function entryLines(
  locale: Locale,
  { by, total, entered, locked }: EntryState,
): readonly string[] {
  return [
    Object.values(by)
      .flatMap((items) => items.map(({ name }) => name))
      .join(' · '),
    total === 0 ? t(locale, 'entry.none') : t(locale, 'entry.progress', { entered, total }),
    ...(locked === null ? [] : [t(locale, 'entry.lockedBy', locked)]),
  ]
}
