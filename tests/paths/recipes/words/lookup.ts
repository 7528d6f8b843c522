import type { MachineWords } from './machine-words.ts'

export const lookup = {
  name: ['选择关联数据的下拉框', 'The picker of a related row'],
  place: [
    '打开表单，点一个关联字段（如“专业”）',
    'Open a form with a field that refers to another table (such as the major)',
  ],
  states: {
    closed: ['已收起', 'closed'],
    open: ['已展开', 'open'],
    'open.searching': ['等待输入停顿', 'waiting for a pause in typing'],
    'open.loading': ['正在查找', 'searching'],
    'open.shown': ['候选已显示', 'the choices are shown'],
    'open.failed': ['查找失败', 'the search failed'],
  },
  events: {
    'lookup.open': ['点输入框，展开候选', 'Press the field to open the choices'],
    'lookup.close': [
      '再点一次输入框（或按 Esc），收起候选',
      'Press the field again (or Escape) to close the choices',
    ],
    'lookup.retry': ['按“{common.retry}”', 'Press “{common.retry}”'],
    'lookup.search': ['输入查找内容', 'Type what to look for'],
    'lookup.search(x)': ['在查找框中输入“{searchKey}”', 'Type “{searchKey}” into the search field'],
    'lookup.search(nothing)': ['清空查找框', 'Clear the search field'],
    'lookup.choose': ['点第一个候选', 'Press the first choice'],
    'lookup.enter': ['按回车', 'Press Enter'],
    'lookup.enter(shown)': ['按回车选中高亮的候选', 'Press Enter to take the marked choice'],
    'lookup.enter(empty)': ['没有候选时按回车', 'Press Enter while there is no choice'],
    'lookup.page': ['翻页', 'Turn the page'],
    'lookup.page(first)': ['按“上一页”', 'Press “previous”'],
    'lookup.page(second)': ['按“下一页”', 'Press “next”'],
    'cascades.change': [
      '改上级字段（如“院系”）',
      'Change the field above it (such as the faculty)',
    ],
  },
  calls: { find: ['查找候选', 'searching the choices'] },
  endings: {
    'find.paged': ['成功，有多页候选', 'it succeeds: several pages of choices'],
    'find.plain': ['成功，一个候选', 'it succeeds: one choice'],
    'find.none': ['成功，没有候选', 'it succeeds: no choice'],
  },
  times: {
    DEBOUNCE: ['停顿片刻（约 0.3 秒）', 'Pause for a moment (about 0.3 seconds)'],
  },
} as const satisfies MachineWords
