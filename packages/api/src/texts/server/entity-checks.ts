/** Findings about an entity definition, by the stable id of the check. */
export const entityCheckTexts = {
  'entity.E000': ['{path}：格式不正确（{value}）', '{path}: not of the right form ({value})'],
  'entity.E001': ['标识 {tag} 是保留字', 'The tag {tag} is a reserved word'],
  'entity.E002': ['数据库中没有表 {table}', 'The database has no table {table}'],
  'entity.E003': ['「{label}」：表中没有列 {name}', '“{label}”: the table has no column {name}'],
  'entity.E004': ['属性名 {name} 重复', 'The attribute name {name} is used twice'],
  'entity.E005': [
    '列 {name} 被多个可编辑的字段使用',
    'Column {name} is written by more than one field',
  ],
  'entity.E006': ['没有名为 {name} 的主键字段', 'There is no field {name} for the id'],
  'entity.E007': ['字段 {name} 的列不是主键', 'The column of {name} is not the primary key'],
  'entity.E008': ['标题字段 {name} 不存在', 'The title field {name} does not exist'],
  'entity.E009': ['上级字段 {name} 不存在', 'The parent field {name} does not exist'],
  'entity.E010': [
    '没有在列表中显示的字段，列表将为空',
    'No field is shown in the list, so it would be empty',
  ],
  'entity.E011': ['「{label}」属于另一张表 {name}', '“{label}” belongs to another table, {name}'],
  'entity.E012': [
    '「{label}」：控件 {kind} 不能用于类型为 {type} 的列',
    '“{label}”: a {kind} cannot stand for a column of type {type}',
  ],
  'entity.E013': [
    '「{label}」：允许 {most} 个字符，但列只能存 {length} 个',
    '“{label}”: allows {most} characters, but the column holds {length}',
  ],
  'entity.E014': ['属性名 {name} 是保留字', 'The attribute name {name} is a reserved word'],
  'entity.E015': ['有字段没有名称', 'A field has no label'],
  'entity.E016': [
    '名称「{name}」重复，导入表头将无法区分',
    'The label “{name}” is used twice: headers of imports cannot be told apart',
  ],
  'entity.E017': ['「{label}」的编号 {name} 重复', 'The id {name} of “{label}” is used twice'],
  'entity.E018': ['「{label}」在任何地方都不显示', '“{label}” is shown nowhere'],
  'entity.E019': [
    '「{label}」：属性名 {name} 由系统使用，填写的内容不会保存；请换一个属性名',
    '“{label}”: the name {name} is the system’s own, so what is filled in would not be saved; give it another',
  ],
  'entity.E020': [
    '「{label}」：没有名为 {name} 的校验规则',
    '“{label}”: there is no rule called {name}',
  ],
  'entity.E021': [
    '「{label}」必填，但新增时不能填写，也没有默认值',
    '“{label}” is required, but cannot be filled in when adding and has no default',
  ],
  'entity.E022': [
    '「{label}」：列 {name} 不允许为空，但新增时不能填写，也没有默认值',
    '“{label}”: column {name} must not be empty, but cannot be filled in when adding and has no default',
  ],
  'entity.E023': [
    '「{label}」的默认值“{value}”不符合自己的规则',
    'The default “{value}” of “{label}” breaks its own rules',
  ],
  'entity.E024': [
    '「{label}」：没有名为 {value} 的默认值常量',
    '“{label}”: there is no default constant {value}',
  ],
  'entity.E025': [
    '「{label}」选择了默认值类型，但没有填写默认值',
    '“{label}” has a kind of default but no value',
  ],
  'entity.E026': [
    '「{label}」的默认值 {value} 不在字典中',
    'The default {value} of “{label}” is not in its dictionary',
  ],
  'entity.E027': [
    '「{label}」有两个不同的最大长度：{most} 和 {other}',
    '“{label}” has two maximum lengths: {most} and {other}',
  ],
  'entity.E028': [
    '「{label}」：校验规则对控件 {kind} 不起作用',
    '“{label}”: rules of text have no effect on a {kind}',
  ],
  'entity.E029': [
    '「{label}」的默认值 SQL 不能使用：{reason}',
    'The default SQL of “{label}” cannot be used: {reason}',
  ],
  'entity.E030': [
    '「{label}」：控件 {kind} 需要字典来源',
    '“{label}”: a {kind} needs a source of choices',
  ],
  'entity.E031': [
    '「{label}」：控件 {kind} 不使用字典',
    '“{label}”: a {kind} does not use its source of choices',
  ],
  'entity.E032': ['「{label}」：没有字典 {name}', '“{label}”: there is no dictionary {name}'],
  'entity.E033': [
    '「{label}」：“{value}”应写成“实体标识.属性名”',
    '“{label}”: “{value}” should read “TAG.attribute”',
  ],
  'entity.E034': ['「{label}」：没有实体 {name}', '“{label}”: there is no entity {name}'],
  'entity.E035': [
    '「{label}」：没有属性 {name}，可用：{fitting}',
    '“{label}”: there is no attribute {name}; there are {fitting}',
  ],
  'entity.E036': [
    '「{label}」选择了字典类型，但没有填写字典',
    '“{label}” has a kind of source but no source',
  ],
  'entity.E037': [
    '「{label}」的字典 SQL 不能使用：{reason}',
    'The SQL behind the choices of “{label}” cannot be used: {reason}',
  ],
  'entity.E038': [
    '「{label}」是树形控件，但实体 {name} 没有上级字段',
    '“{label}” is a tree, but entity {name} has no parent field',
  ],
  'entity.E039': [
    '「{label}」：自定义 SQL 多次超时，已停用；保存后恢复',
    '“{label}”: the custom SQL exceeded its time repeatedly and is switched off; saving switches it on again',
  ],
  'entity.E040': [
    '「{label}」：级联的上级字段 {name} 不存在',
    '“{label}”: the cascade’s parent {name} does not exist',
  ],
  'entity.E041': ['「{label}」不能级联自己', '“{label}” cannot cascade from itself'],
  'entity.E042': ['「{label}」处于级联的循环中', '“{label}” is part of a ring of cascades'],
  'entity.E043': [
    '「{label}」：级联只能用于选择类控件，「{name}」不是',
    '“{label}”: cascades join choices only, and “{name}” is none',
  ],
  'entity.E044': [
    '「{label}」：选项来源没有可用于级联的属性 {name}',
    '“{label}”: its choices have no attribute {name} to cascade by',
  ],
  'entity.E050': [
    '「{label}」：控件 {kind} 不支持查询方式 {operator}，可用：{fitting}',
    '“{label}”: a {kind} cannot be searched by {operator}; it takes {fitting}',
  ],
  'entity.E051': [
    '「{label}」：控件 {kind} 不能作为查询条件',
    '“{label}”: a {kind} cannot be searched',
  ],
  'entity.E052': [
    '默认排序中的 {name} 不能排序',
    'The default sort names {name}, which cannot be sorted',
  ],
  'entity.E053': [
    '「{label}」：没有查询方式 {operator}',
    '“{label}”: there is no search operator {operator}',
  ],
  'entity.E054': [
    '由系统维护的字段 {name} 不存在、没有列，或是主键、密码或系统表的字段',
    'The field {name}, which the server should keep, does not exist, has no column, or is a key, a password or on a system table',
  ],
  'entity.E055': [
    '「{label}」是密码，不能显示或导出',
    '“{label}” is a password: it cannot be shown or exported',
  ],
  'entity.E056': [
    '「{label}」：列 {name} 存放机密，任何字段都不能使用',
    '“{label}”: the column {name} holds secrets, which no field may use',
  ],
  'entity.E057': [
    '「{label}」：列 {name} 像是密码或密钥，请使用密码类型，不要在列表、详情、查询和导出中显示',
    '“{label}”: the column {name} looks like a password or key; make it a password and show it nowhere',
  ],
  'entity.E118': [
    '「{label}」：视图 {table} 的列 {name} 不能作为字段：{reason}',
    '“{label}”: the column {name} of the view {table} can be no field: {reason}',
  ],
  'view.column.secret': [
    '它显示密码、令牌或密钥；请去掉这个字段',
    'it shows a password, token or key; remove the field',
  ],
  'view.column.sealed': [
    '它来自加密存储的列；请让视图原样给出该列，并同时给出它的检索列（如 id_card 与 id_card_index）',
    'it comes from a column that is stored encrypted; let the view show that column as it is, together with the column of its index (such as id_card and id_card_index)',
  ],
  'view.column.personal': [
    '它由个人信息计算得出，无法打码；请让视图原样给出个人信息所在的列',
    'it is computed from personal data, which no mask fits; let the view show the column of the personal data as it is',
  ],
  'view.column.unknown': [
    '无法得知它来自哪些列；请让视图用查询代替其中的函数，函数只用参数计算的，请声明为 IMMUTABLE',
    'it cannot be told from which columns it comes; let the view have a query in place of the function, or declare a function that only computes from its arguments as IMMUTABLE',
  ],
  'entity.E119': [
    '视图 {table} 不能作为实体：{reason}',
    'The view {table} can be no entity: {reason}',
  ],
  'view.rows.unknown': [
    '无法得知它的行来自哪些表；请让视图用查询代替返回行的函数',
    'it cannot be told from which tables its rows come; let the view have a query in place of the function that returns rows',
  ],
  'view.rows.school': [
    '它没有给出 {table} 的行属于哪所学校，或用窗口函数、分组集跨行计算；请不要跨行计算，并让视图给出该表的 tenant_id，或按 tenant_id 与给出它的表连接',
    'it does not show to which school the rows of {table} belong, or computes across rows by window functions or grouping sets; let it not, and let it show tenant_id of that table, or join it by tenant_id with a table of which it is shown',
  ],
  'entity.E117': [
    '表 {table} 的主键含有 tenant_id，而定义没有把它作为学校：平台学校会看到并能修改所有学校的行；如果它是学校编号，请在 options.systemColumns 中加入 tenant_id',
    'The key of {table} has tenant_id, which the definition does not take for the school: the first school would see and change the rows of all; if it is the number of a school, add tenant_id to options.systemColumns',
  ],
  'entity.E116': [
    '「{label}」：实体「{other}」已用另一公式计算列 {name}；一列只能有一个公式，请改为相同的公式，或在其中一个实体中去掉公式',
    '“{label}”: the entity “{other}” computes the column {name} by another formula; a column has one formula: use the same, or remove it from one of the entities',
  ],
  'entity.E115': [
    '「{label}」：「{name}」的 18 位中有 8 位是出生日期；请考虑不在列表和导出中显示出生日期，或用字段规则限制谁能查看',
    '“{label}”: 8 of the 18 digits of “{name}” are the birth date; consider leaving it out of lists and exports, or limit who sees it by field rules',
  ],
  'entity.E058': [
    '「{label}」：{name} 是密码，不能显示、排序、查询或用于级联',
    '“{label}”: {name} is a password, which is never shown, sorted, searched or compared',
  ],
  'entity.E059': [
    '「{label}」属于系统表，{name} 不能改动；可以修改名称、顺序、宽度、列表、查询、详情和按钮',
    '“{label}” is on a system table: {name} is fixed; labels, order, widths, list, query, detail and buttons may change',
  ],
  'entity.E060': [
    '编号规则的字段“{name}”不存在',
    'The serial number’s field “{name}” does not exist',
  ],
  'entity.E061': ['自定义编号没有任何一段', 'The custom serial number has no segments'],
  'entity.E062': [
    '编号中没有自动计数，会重复',
    'The serial number has no counter, so numbers would repeat',
  ],
  'entity.E063': [
    '计数重置的周期比编号中的日期更短，编号会重复',
    'The counter starts again more often than the date in the number changes, so numbers would repeat',
  ],
  'entity.E064': [
    '编号有 {length} 位，但列只能存 {most} 位',
    'The serial number has {length} characters, but the column holds {most}',
  ],
  'entity.E065': [
    '「{label}」自动编号，但新增时可以手工填写',
    '“{label}” is numbered by itself, but can be typed when adding',
  ],
  'entity.E066': [
    '编号含有文字，但列的类型是 {type}',
    'The serial number holds letters, but the column is of type {type}',
  ],
  'entity.E067': [
    '编号中有多个自动计数，它们共用一个计数器',
    'The serial number has several counters, which share one count',
  ],
  'entity.E068': [
    '「{label}」没有索引支持查询，数据多时会慢；可由数据库管理员执行：{statement}',
    'No index serves searches of “{label}”, which are slow on many rows; the database administrator can run: {statement}',
  ],
  'entity.indexGain': [
    '在 {rows} 行的样本上，一页的规划代价 {before} → {after}',
    'cost of a page by the planner on a sample of {rows} rows: {before} -> {after}',
  ],
  'entity.E069': [
    '默认排序「{label}」没有索引支持，数据多时会慢；可由数据库管理员执行：{statement}',
    'No index serves the list’s order by “{label}”, which is slow on many rows; the database administrator can run: {statement}',
  ],
  'entity.E070': ['单选与多选不能同时开启', 'Single and multiple selection cannot both be on'],
  'entity.E071': [
    '关闭了表格选择，单选不起作用',
    'Selection is off, so single selection has no effect',
  ],
  'entity.E073': [
    '「{label}」：计算公式在第 {value} 个字符处有误',
    '“{label}”: its formula is wrong at character {value}',
  ],
  'entity.E074': [
    '「{label}」：计算公式中的 {name} 不存在',
    '“{label}”: its formula names {name}, which does not exist',
  ],
  'entity.E075': [
    '「{label}」：计算公式绕了一圈又用到它自己',
    '“{label}”: its formula depends on its own result',
  ],
  'entity.E076': [
    '「{label}」：计算公式中 {name} 处的类型不符：{kind}',
    '“{label}”: its formula has a value of the wrong type at {name}: {kind}',
  ],
  'entity.E077': [
    '「{label}」：计算公式不能使用密码或个人信息 {name}',
    '“{label}”: a formula may not read {name}, a password or personal data',
  ],
  'entity.E110': [
    '「{label}」：没有值能符合最小值 {min}、最大值 {max}、步长 {step}',
    '“{label}”: no value meets the minimum {min}, the maximum {max} and the step {step}',
  ],
  'entity.E111': [
    '「{label}」：只有数字可以设最小值、最大值和步长（当前为 {kind}）',
    '“{label}”: only numbers have a minimum, a maximum and a step (it is {kind})',
  ],
  'entity.E121': ['流程：{reason}', 'Flow: {reason}'],
  'entity.E122': ['流程：{reason}', 'Flow: {reason}'],
  'entity.E120': [
    '「{label}」：按 {name} 标出偏低的数，但它不是列表中显示的开关；请改选一个开关，或清空此项',
    '“{label}” marks low numbers by {name}, which is no switch shown in the list: choose one, or clear the setting',
  ],
  'entity.E078': [
    '「{label}」不能由公式计算：只有数字、文本和开关可以，主键、流水号、上级和系统列不可以（当前为 {kind}）',
    '“{label}” cannot be computed: only numbers, texts and switches can, and no key, serial number, parent or system column (it is {kind})',
  ],
  'entity.E045': [
    '录入表不能使用 {name}：划分录入表的字段须可查询且为单值，各列须在列表中显示，计数的字段须是可录入的一列',
    'Entry sheets cannot use {name}: sheets are named by single-valued search fields, columns are in the list, and what is counted is typed into one of them',
  ],
  'entity.E080': ['按钮代码 {value} 重复', 'The button code {value} is used twice'],
  'entity.E081': [
    '按钮「{label}」：显示条件在第 {value} 个字符处有误',
    'Button “{label}”: its condition is wrong at character {value}',
  ],
  'entity.E082': [
    '按钮「{label}」：显示条件中的 {value} 不存在',
    'Button “{label}”: its condition names {value}, which does not exist',
  ],
  'entity.E083': [
    '按钮「{label}」：字段 {value} 不存在或不可编辑',
    'Button “{label}”: field {value} does not exist or cannot be edited',
  ],
  'entity.E084': [
    '按钮「{label}」：没有实体 {value}',
    'Button “{label}”: there is no entity {value}',
  ],
  'entity.E085': [
    '按钮「{label}」：地址 {value} 不是本系统的页面',
    'Button “{label}”: {value} is not a page of this system',
  ],
  'entity.E086': ['按钮「{label}」没有任何动作', 'Button “{label}” does nothing'],
  'entity.E087': ['按钮「{label}」：SQL 按钮不会执行', 'Button “{label}”: SQL buttons are not run'],
  'entity.E088': [
    '按钮「{label}」：占位符 {value} 不存在',
    'Button “{label}”: the placeholder {value} does not exist',
  ],
  'entity.E089': [
    '按钮「{label}」的显示条件里没有 {value}，只能用 row、user、mode',
    'The condition of button “{label}” cannot read {value}, only row, user and mode',
  ],
  'entity.E090': [
    '「{label}」选择了链接类型，但没有填写链接',
    '“{label}” has a kind of link but no link',
  ],
  'entity.E091': ['「{label}」：链接“{value}”不安全', '“{label}”: the link “{value}” is not safe'],
  'entity.E092': [
    '「{label}」：链接中的占位符 {name} 不存在',
    '“{label}”: the link’s placeholder {name} does not exist',
  ],
  'entity.E093': ['「{label}」：没有按钮 {name}', '“{label}”: there is no button {name}'],
  'entity.E094': [
    '按钮「{label}」的脚本必须是动作的列表，不能是代码',
    'The script of button “{label}” must be a list of actions, not code',
  ],
  'entity.E095': ['分组「{label}」下没有字段', 'The group “{label}” has no fields'],
  'entity.E096': [
    '分组「{label}」的宽度应为 100，现为 {width}',
    'The group “{label}” should be 100 wide, not {width}',
  ],
  'entity.E097': [
    '「{label}」的宽度 {width} 不在 0 到 100 之间',
    'The width {width} of “{label}” is not between 0 and 100',
  ],
  'entity.E098': [
    '「{label}」使用了 {name}，您没有所需的权限：{right}',
    '“{label}” names {name}, for which you lack a right: {right}',
  ],
  'entity.E072': [
    '列 {name} 不能为空且没有默认值，又没有字段填写它：新增会被数据库拒绝',
    'Column {name} may not be empty, has no default and no field: the database will refuse new rows',
  ],
  'entity.E079': [
    '标题模板中的 {name} 不是本实体的文字、数字、日期、单选字典或关联字段',
    'The title pattern names {name}, which is no text, number, date, relation or single dictionary field of this entity',
  ],
  'entity.E099': [
    '表 {table} 没有主键，也没有非空的唯一索引，无法指明一行，因此只能查看；添加主键后即可编辑',
    'The table {table} has neither a primary key nor a unique index of not-null columns, so its rows can only be looked at; add a primary key to edit them',
  ],
} as const
