// The texts of the console's shell, loaded in both languages through the product's own loader: an
// `import()` during a walk, even of a loaded module, would finish after the screen has come to rest.
import { changeLocale, loadTexts } from '../../../apps/web/src/texts/load-texts.ts'

await Promise.all([loadTexts('start'), loadTexts('console')])
await changeLocale('en')
await changeLocale('zh-CN')
