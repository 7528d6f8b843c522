import type { EntryState } from '@jiaowu/api/contract/entity/entry'
import type { Locale } from '@jiaowu/api/locale'
import { t } from '@jiaowu/api/texts/index'

/** The values of a sheet, its progress, the figures of what is entered, and who locked it. */
export function entryLines(
  locale: Locale,
  { by, total, entered, figures, locked }: EntryState,
): readonly string[] {
  return [
    Object.values(by)
      .flatMap((items) => items.map(({ name }) => name))
      .join(' · '),
    total === 0 ? t(locale, 'entry.none') : t(locale, 'entry.progress', { entered, total }),
    ...(figures === null ? [] : figureLines(locale, figures)),
    ...(locked === null ? [] : [t(locale, 'entry.lockedBy', locked)]),
  ]
}

function figureLines(
  locale: Locale,
  { average, lowest, highest, fails }: NonNullable<EntryState['figures']>,
): readonly string[] {
  return [
    t(locale, 'entry.figures', { average, lowest, highest }),
    ...(fails === null ? [] : [t(locale, 'entry.fails', { n: fails })]),
  ]
}
