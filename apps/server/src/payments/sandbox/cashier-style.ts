/** Large type, because the page is read on a phone. */
export const cashierStyle = `
:root { color-scheme: light dark; --ink: #1c2127; --soft: #5f6b7c; --paper: #fff; --ground: #f2f5f9; --line: #dfe5ec; --main: #1677d2; --good: #12805c; --bad: #b3392f }
@media (prefers-color-scheme: dark) { :root { --ink: #f2f5f9; --soft: #abb3bf; --paper: #252a31; --ground: #15181c; --line: #3a424d; --main: #4c9be8; --good: #4cc294; --bad: #ef8078 } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; min-height: 100dvh; display: grid; place-items: center; padding: 16px; background: var(--ground); color: var(--ink); font: 16px/1.6 -apple-system, "PingFang SC", "Noto Sans CJK SC", "Microsoft YaHei", "Segoe UI", system-ui, sans-serif }
main { width: 100%; max-width: 400px; padding: 28px 24px 24px; background: var(--paper); border: 1px solid var(--line); border-radius: 16px; box-shadow: 0 10px 40px rgb(16 22 26 / 10%) }
header { text-align: center } h1 { margin: 0; font-size: 18px; font-weight: 600 } header p { margin: 4px 0 0; color: var(--soft); font-size: 13px }
.price { margin: 20px 0; text-align: center; font-size: 48px; line-height: 1.1; font-weight: 600; font-variant-numeric: tabular-nums } .price span { font-size: 26px; margin-right: 4px; vertical-align: 12px }
dl { margin: 0 0 20px; padding: 14px 0; border-block: 1px solid var(--line); display: grid; grid-template-columns: auto 1fr; gap: 6px 16px; font-size: 14px } dt { color: var(--soft) } dd { margin: 0; text-align: right; overflow-wrap: anywhere } .number { font-variant-numeric: tabular-nums; font-size: 13px }
form { display: grid; gap: 10px } button { min-height: 48px; border: 1px solid var(--line); border-radius: 10px; background: transparent; color: inherit; font: inherit; cursor: pointer } button.main { border-color: transparent; background: var(--main); color: #fff; font-weight: 600 }
@media (prefers-color-scheme: dark) { button.main { color: #10161c } }
button:hover { filter: brightness(1.06) } button:focus-visible { outline: 3px solid var(--main); outline-offset: 2px }
.verdict { margin-bottom: 16px; text-align: center } .verdict span { display: inline-grid; place-items: center; width: 56px; height: 56px; border-radius: 50%; font-size: 28px; font-weight: 700; color: var(--paper); background: var(--soft) } .verdict.paid span { background: var(--good) } .verdict.failed span { background: var(--bad) }
header p, .verdict p, dd { text-wrap: balance }
.verdict h2 { margin: 10px 0 2px; font-size: 20px } .verdict p { margin: 0; color: var(--soft); font-size: 14px }
`
