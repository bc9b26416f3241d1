-- Types the sessions in `tests/typed` in Neovim, and compares what is offered after each key with the record.
--
-- Letters are typed in insert mode, so the edits are those that Neovim sends. Neovim itself knows neither pairs nor placeholders: they
-- are as in `tests/protocol/typed.rs`.

local server = assert(os.getenv("HCL"), "HCL names the server")
local folder = assert(os.getenv("SESSIONS"), "SESSIONS names the folder of the sessions")
local workspace = assert(os.getenv("WORKSPACE"), "WORKSPACE names a folder for files")
local SHOWN = 5

vim.o.virtualedit = "onemore"
vim.o.swapfile = false
vim.cmd("filetype indent off")

local function say(text)
  io.stdout:write(text .. "\n")
end

local function contents(path)
  local file = assert(io.open(path))
  local text = file:read("a")
  file:close()
  return text
end

-- The fences of a session: words and text.
local function fences(text)
  local all, open = {}, nil
  for line in text:gmatch("([^\n]*)\n") do
    if open and line == "```" then
      open.text = table.concat(open.lines)
      all[#all + 1], open = open, nil
    elseif open then
      open.lines[#open.lines + 1] = line .. "\n"
    elseif line:sub(1, 3) == "```" then
      open = { words = vim.split(line:sub(4), " "), lines = {} }
    end
  end
  return all
end

local function keys_of(text)
  local keys, named = {}, { Enter = true, Backspace = true, End = true, Down = true, Accept = true, Tab = true, Ask = true }
  local at = 1
  while at <= #text do
    local name = text:match("^<(%a+)>", at)
    if name and named[name] then
      keys[#keys + 1], at = "<" .. name .. ">", at + #name + 2
    else
      local letter = text:match("^[%z\1-\127\194-\244][\128-\191]*", at)
      if letter ~= "\n" then
        keys[#keys + 1] = letter
      end
      at = at + #letter
    end
  end
  return keys
end

local closers = { ["{"] = "}", ["["] = "]", ["("] = ")", ['"'] = '"' }

-- The place of the cursor: the line and the byte in it, both from 0.
local row, column = 0, 0
local stops, selected = {}, 0

local function line()
  return vim.api.nvim_buf_get_lines(0, row, row + 1, true)[1]
end

local function replace(start, finish, text)
  vim.api.nvim_buf_set_text(0, start[1], start[2], finish[1], finish[2], vim.split(text, "\n"))
end

-- Types a text in insert mode.
local function type_text(text)
  vim.api.nvim_win_set_cursor(0, { row + 1, column })
  local escape = vim.api.nvim_replace_termcodes("<Esc>", true, false, true)
  vim.api.nvim_feedkeys("i" .. text .. escape, "ntx", false)
  column = column + #text
end

local function drop_selected()
  if selected > 0 then
    replace({ row, column }, { row, column + selected }, "")
    selected = 0
  end
end

local function last_line()
  return vim.api.nvim_buf_line_count(0) - 1
end

local function offset_from_end()
  local lines = vim.api.nvim_buf_get_lines(0, row, -1, true)
  return #table.concat(lines, "\n") - column
end

local function go_to(from_end)
  local lines = vim.api.nvim_buf_get_lines(0, 0, -1, true)
  local at = #table.concat(lines, "\n") - from_end
  for number, text in ipairs(lines) do
    if at <= #text then
      row, column = number - 1, at
      return
    end
    at = at - #text - 1
  end
end

local function next_stop()
  local stop = table.remove(stops)
  if stop then
    go_to(stop[1])
    selected = stop[2]
  end
end

-- The text of a snippet, and its placeholders in the order of their numbers: offsets and lengths.
local function snippet(text)
  local plain, found, at, has_end = "", {}, 1, false
  while at <= #text do
    local letter = text:sub(at, at)
    if letter == "\\" then
      plain, at = plain .. text:sub(at + 1, at + 1), at + 2
    elseif letter == "$" then
      local number, inner, rest = text:match("^%${(%d+):?([^}]*)}()", at)
      if not number then
        number, rest = text:match("^%$(%d+)()", at)
        inner = ""
      end
      number = tonumber(number)
      has_end = has_end or number == 0
      found[#found + 1] = { number == 0 and math.huge or number, #plain, #inner }
      plain, at = plain .. inner, rest
    else
      plain, at = plain .. letter, at + 1
    end
  end
  if not has_end then
    found[#found + 1] = { math.huge, #plain, 0 }
  end
  table.sort(found, function(one, other)
    return one[1] < other[1] or one[1] == other[1] and one[2] < other[2]
  end)
  return plain, found
end

local function accept(item)
  local range = item.textEdit.range
  local indent = line():match("^%s*")
  local text = item.textEdit.newText:gsub("\n", "\n" .. indent)
  local plain, found = text, {}
  if item.insertTextFormat == 2 then
    plain, found = snippet(text)
  end
  -- The texts of the sessions are ASCII where something is accepted.
  replace({ range.start.line, range.start.character }, { range["end"].line, range["end"].character }, plain)
  row, column = range.start.line, range.start.character
  local from_end = offset_from_end()
  stops, selected = {}, 0
  for number = #found, 1, -1 do
    stops[#stops + 1] = { from_end - found[number][2], found[number][3] }
  end
  if #found == 0 then
    go_to(from_end - #plain)
  end
  next_stop()
end

local function press(key, first)
  if key == "<Accept>" then
    if first then
      accept(first)
    end
  elseif key == "<Tab>" then
    selected = 0
    next_stop()
  elseif key == "<Ask>" then
    return
  elseif key == "<End>" then
    column, selected = #line(), 0
  elseif key == "<Down>" then
    row, selected = math.min(row + 1, last_line()), 0
    column = #line()
  elseif key == "<Enter>" then
    drop_selected()
    local before, after = line():sub(1, column), line():sub(column + 1, column + 1)
    local indent = before:match("^%s*")
    local opens = before:match("[{%[%(]%s*$") ~= nil
    local deeper = opens and indent .. "  " or indent
    local rest = opens and after:match("[}%]%)]") and "\n" .. indent or ""
    replace({ row, column }, { row, column }, "\n" .. deeper .. rest)
    row, column = row + 1, #deeper
  elseif key == "<Backspace>" then
    if column > 0 then
      local pair = closers[line():sub(column, column)]
      local stop = pair and line():sub(column + 1, column + 1) == pair and column + 1 or column
      replace({ row, column - 1 }, { row, stop }, "")
      column = column - 1
    end
  else
    local after = line():sub(column + 1, column + 1)
    if key:match('^[}%])"]$') and after == key then
      column, selected = column + 1, 0
      return
    end
    local before = line():sub(column, column)
    local behind = line():sub(column + selected + 1, column + selected + 1)
    local is_free = behind == "" or behind:match('[%s}%])"]')
    local is_paired = is_free and (key ~= '"' or not before:match('[%w_"]'))
    drop_selected()
    type_text(key)
    if closers[key] and is_paired then
      replace({ row, column }, { row, column }, closers[key])
    end
  end
end

local function offered(key)
  local is_letter = key:match("^[%w_%-]$")
  local is_trigger = key:match('^[%."%[{]$')
  if not is_letter and not is_trigger and key ~= "<Ask>" then
    return nil
  end
  vim.api.nvim_win_set_cursor(0, { row + 1, column })
  local params = {
    textDocument = vim.lsp.util.make_text_document_params(),
    position = { line = row, character = select(2, vim.str_utfindex(line(), column)) },
    context = is_trigger and { triggerKind = 2, triggerCharacter = key } or { triggerKind = 1 },
  }
  local answers = vim.lsp.buf_request_sync(0, "textDocument/completion", params, 60000)
  local _, answer = next(answers or {})
  return assert(answer and answer.result, "an answer").items
end

-- The line of the record for a key, without the number of errors elsewhere.
local function shown(key, items, accepted)
  local text = ""
  if key == "<Accept>" then
    text = accepted and '"' .. accepted.label:gsub('"', '\\"') .. '"' or "nothing to accept"
  elseif items then
    local labels = {}
    for number = 1, math.min(SHOWN, #items) do
      labels[number] = items[number].label
    end
    text = #labels == 0 and "nothing" or table.concat(labels, " · ")
    if #items > SHOWN then
      text = text .. " · " .. (#items - SHOWN) .. " more"
    end
  end
  return vim.trim(string.format("%-11s %s", key == " " and "<Space>" or key, text))
end

local function play(path)
  local name = vim.fn.fnamemodify(path, ":t:r")
  local root = workspace .. "/" .. name
  local recorded, file, text, keys, finish = {}, nil, nil, nil, nil
  vim.fn.mkdir(root, "p")
  local language = "hcl"
  for _, fence in ipairs(fences(contents(path))) do
    local kind = fence.words[1]
    if kind == "file" then
      local target = root .. "/" .. fence.words[2]
      vim.fn.mkdir(vim.fn.fnamemodify(target, ":h"), "p")
      local out = assert(io.open(target, "w"))
      out:write(fence.text)
      out:close()
    elseif kind == "open" then
      file, language, text = fence.words[2], fence.words[3] or language, fence.text
    elseif kind == "keys" then
      keys = keys_of(fence.text)
    elseif kind == "offered" then
      for entry in fence.text:gmatch("([^\n]*)\n") do
        recorded[#recorded + 1] = vim.trim((entry:gsub("%s*%(%d+ elsewhere%)$", "")))
      end
    elseif kind == "text" then
      finish = fence.text
    end
  end
  vim.cmd("edit! " .. root .. "/" .. file)
  local at = text:find("¦", 1, true)
  local before = at and text:sub(1, at - 1) or text
  local plain = text:gsub("¦", "")
  vim.api.nvim_buf_set_lines(0, 0, -1, true, vim.split(plain:gsub("\n$", ""), "\n"))
  row = select(2, before:gsub("\n", ""))
  column = #before:match("[^\n]*$")
  stops, selected = {}, 0
  local capabilities = vim.lsp.protocol.make_client_capabilities()
  capabilities.textDocument.completion.completionItem.snippetSupport = true
  local client = vim.lsp.start_client({
    name = "hcl",
    cmd = { server },
    root_dir = root,
    capabilities = capabilities,
    -- The buffers are gone when the last ones come.
    handlers = { ["textDocument/publishDiagnostics"] = function() end },
    get_language_id = function()
      return language
    end,
  })
  vim.lsp.buf_attach_client(0, client)
  vim.wait(60000, function()
    return vim.lsp.get_client_by_id(client).initialized
  end, 5)
  -- The answer comes once the files are read.
  vim.lsp.get_client_by_id(client).request_sync("hcl/status", vim.empty_dict(), 60000, 0)
  local first, differences = nil, 0
  for number, key in ipairs(keys) do
    local accepted = key == "<Accept>" and first or nil
    press(key, first)
    local items = offered(key)
    first = items and items[1] or nil
    local found = shown(key, items, accepted)
    if found ~= recorded[number] then
      differences = differences + 1
      if differences <= 3 then
        say(string.format("%s, key %d: %s\n  recorded: %s", name, number, found, recorded[number]))
      end
    end
  end
  local result = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), "\n") .. "\n"
  if result ~= finish then
    differences = differences + 1
    say(name .. ": the text is " .. vim.json.encode(result))
  end
  -- The buffer stays, because Neovim clears its diagnostics later.
  vim.lsp.stop_client(client, true)
  return differences == 0
end

local ok, why = pcall(function()
  local fine, all = 0, 0
  for _, path in ipairs(vim.fn.sort(vim.fn.glob(folder .. "/*.md", false, true))) do
    if not path:match("README%.md$") then
      all = all + 1
      if play(path) then
        fine = fine + 1
      end
    end
  end
  say(string.format("%d of %d sessions are in Neovim as recorded", fine, all))
end)
if not ok then
  say("error: " .. tostring(why))
end
vim.cmd("qall!")
