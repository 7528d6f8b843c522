/**
 * The report's pages work in a browser, from a file and without a network: language, search, the paths through a
 * state, the check list (kept in the browser's storage), and the test protocol. Plain JavaScript, as it is sent.
 */
export const reportScript = String.raw`
'use strict'
const root = document.documentElement
const all = (query, of = document) => [...of.querySelectorAll(query)]
const store = {
  get: (key) => { try { return localStorage.getItem('jiaowu-paths ' + key) } catch { return null } },
  set: (key, value) => { try { localStorage.setItem('jiaowu-paths ' + key, value) } catch {} },
}
const show = (language) => {
  root.dataset.lang = language
  root.lang = language === 'zh' ? 'zh-CN' : 'en'
  for (const each of all('[data-zh]')) each.placeholder = each.dataset[language]
  for (const each of all('option[data-label-zh]')) each.textContent = language === 'zh' ? each.dataset.labelZh : each.dataset.labelEn
}
show(store.get('language') || root.dataset.lang)
for (const each of all('[data-language]')) each.onclick = () => {
  const next = root.dataset.lang === 'zh' ? 'en' : 'zh'
  store.set('language', next)
  show(next)
}
const readResult = (id) => { try { return JSON.parse(store.get('result ' + id) || '{}') } catch { return {} } }
const tester = document.getElementById('tester')
if (tester) {
  tester.value = store.get('tester') || ''
  tester.oninput = () => store.set('tester', tester.value)
}
const marks = { ok: '✓', bad: '✗', skip: '–' }
const paint = (path) => {
  const { result = '' } = readResult(path.id)
  path.dataset.result = result
  path.querySelector('.badge').textContent = marks[result] || path.dataset.no
}
const count = () => {
  const paths = all('.path')
  const done = paths.filter((each) => each.dataset.result).length
  for (const each of all('[data-count]')) each.textContent = done + ' / ' + paths.length
}
for (const path of all('.path')) {
  const id = path.id
  const result = path.querySelector('select.outcome')
  const note = path.querySelector('input.note')
  const kept = readResult(id)
  result.value = kept.result || ''
  note.value = kept.note || ''
  const keep = () => {
    const before = readResult(id)
    store.set('result ' + id, JSON.stringify({ ...before, result: result.value, note: note.value, who: tester ? tester.value : '', when: new Date().toISOString() }))
    paint(path)
    count()
  }
  result.onchange = keep
  note.onchange = keep
  for (const [no, box] of all('ol.steps input[type=checkbox]', path).entries()) {
    box.checked = (kept.steps || []).includes(no)
    const mark = () => box.closest('li').classList.toggle('done', box.checked)
    mark()
    box.onchange = () => {
      const before = readResult(id)
      const steps = new Set(before.steps || [])
      if (box.checked) steps.add(no)
      else steps.delete(no)
      store.set('result ' + id, JSON.stringify({ ...before, steps: [...steps] }))
      mark()
    }
  }
  paint(path)
}
count()
let picked = null
const search = document.getElementById('search')
const which = document.getElementById('which')
const filter = () => {
  const words = (search ? search.value : '').toLowerCase().split(/\s+/).filter(Boolean)
  let shown = 0
  for (const path of all('.path')) {
    const text = path.textContent.toLowerCase()
    const result = path.dataset.result
    const wanted = !which || which.value === '' || (which.value === 'open' ? !result : which.value === result)
    const through = picked === null || (path.dataset[picked.kind] || '').split(' ').some((each) => picked.numbers.includes(each))
    path.hidden = !(wanted && through && words.every((word) => text.includes(word)))
    if (!path.hidden) shown += 1
  }
  for (const row of all('tr[data-text]')) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word))
  for (const each of all('[data-shown]')) each.textContent = shown
  const none = document.getElementById('none')
  if (none) none.hidden = shown > 0
}
if (search) search.oninput = filter
if (which) which.onchange = filter
const chip = document.getElementById('picked')
const pick = (target) => {
  for (const each of all('.picked')) each.classList.remove('picked')
  picked = target === null ? null : target.dataset.state !== undefined
    ? { kind: 's', numbers: [target.dataset.state] }
    : { kind: 't', numbers: target.dataset.taken.split(' ') }
  if (target !== null) {
    target.classList.add('picked')
    const title = target.querySelector('title')
    const [zh, en] = title ? title.textContent.split('\n') : all('text', target).map((each) => each.textContent)
    chip.querySelector('.zh').textContent = zh
    chip.querySelector('.en').textContent = en
  }
  chip.hidden = target === null
  filter()
}
for (const each of all('.chart [role=button]')) {
  const toggle = () => pick(each.classList.contains('picked') ? null : each)
  each.onclick = (event) => { event.stopPropagation(); toggle() }
  each.onkeydown = (event) => { if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); toggle() } }
}
if (chip) chip.querySelector('button').onclick = () => pick(null)
const openAll = document.getElementById('open-all')
if (openAll) openAll.onclick = () => {
  const paths = all('.path:not([hidden])')
  const open = paths.some((each) => !each.open)
  for (const each of paths) each.open = open
}
let opened = []
addEventListener('beforeprint', () => {
  opened = all('.path:not([open]):not([hidden])')
  for (const each of opened) each.open = true
})
addEventListener('afterprint', () => { for (const each of opened) each.open = false })
const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)))
if (target && target.tagName === 'DETAILS') target.open = true
const words = {
  zh: { head: ['模块', '路径', '标题', '结果', '执行人', '时间', '备注'], ok: '通过', bad: '不通过', skip: '未执行', '': '', title: '测试记录' },
  en: { head: ['Part', 'Path', 'Title', 'Result', 'Who', 'When', 'Note'], ok: 'passed', bad: 'failed', skip: 'left out', '': '', title: 'Test protocol' },
}
const protocol = () => {
  const language = root.dataset.lang
  const list = JSON.parse(document.getElementById('paths').textContent)
  return list.map(({ id, machine, title }) => {
    const { result = '', who = '', when = '', note = '' } = readResult(id)
    return [machine[language], id, title[language], words[language][result] || '', who || (result && tester ? tester.value : ''), result && when ? new Date(when).toLocaleString(root.lang) : '', note]
  })
}
const save = (name, type, text) => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 1000)
}
const day = () => new Date().toLocaleDateString('sv-SE', { timeZone: 'Asia/Shanghai' })
// A cell that begins like a formula would be one in a spreadsheet.
const cell = (text) => '"' + (/^[=+\-@\t]/.test(text) ? "'" + text : text).replaceAll('"', '""') + '"'
const escape = (text) => String(text).replace(/[&<>"]/g, (sign) => '&#' + sign.charCodeAt(0) + ';')
const csv = document.getElementById('csv')
if (csv) csv.onclick = () => save('protocol-' + day() + '.csv', 'text/csv', '\ufeff' + [words[root.dataset.lang].head, ...protocol()].map((row) => row.map((each) => cell(String(each))).join(',')).join('\r\n') + '\r\n')
const html = document.getElementById('html')
if (html) html.onclick = () => {
  const { head, title } = words[root.dataset.lang]
  const line = (tag, row) => '<tr>' + row.map((each) => '<' + tag + '>' + escape(each) + '</' + tag + '>').join('') + '</tr>'
  save('protocol-' + day() + '.html', 'text/html', '<!doctype html><html lang="' + root.lang + '"><meta charset="utf-8"><title>' + title + '</title><style>body{font:14px system-ui,sans-serif}table{border-collapse:collapse}td,th{border:1px solid #999;padding:4px 8px;text-align:left}</style><h1>' + title + ' ' + day() + '</h1><table>' + line('th', head) + protocol().map((row) => line('td', row)).join('') + '</table></html>')
}
`
