// Writes the cases of hcl-lang's tests as lines of JSON. The test in main.rs puts it into a copy of hcl-lang's package
// decoder, where each loop over cases calls dumpCase first.
package decoder

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"sync"
	"unsafe"

	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// The greatest depth of a value. Schemas may contain themselves.
const deepest = 60

var dumped sync.Mutex

func dumpCase(test string, number int, testCase any) {
	dumped.Lock()
	defer dumped.Unlock()
	value := reflect.ValueOf(testCase)
	// A copy can be addressed, so that its private fields can be read.
	settable := reflect.New(value.Type()).Elem()
	settable.Set(value)
	line, err := json.Marshal(map[string]any{"test": test, "number": number, "case": asJSON(settable, 0)})
	if err != nil {
		panic(err)
	}
	file, err := os.OpenFile(os.Getenv("CASES"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	if _, err := file.Write(append(line, '\n')); err != nil {
		panic(err)
	}
}

// The value of an interface has its type in "$go". Types and values of cty are in "$type" and "$value".
func asJSON(value reflect.Value, depth int) any {
	if depth > deepest || !value.IsValid() {
		return nil
	}
	if value.CanAddr() {
		value = reflect.NewAt(value.Type(), unsafe.Pointer(value.UnsafeAddr())).Elem()
	}
	if value.CanInterface() {
		switch known := value.Interface().(type) {
		case cty.Type:
			return typeAsJSON(known)
		case cty.Value:
			return valueAsJSON(known)
		}
	}
	switch value.Kind() {
	case reflect.Pointer:
		if value.IsNil() {
			return nil
		}
		return asJSON(value.Elem(), depth+1)
	case reflect.Interface:
		if value.IsNil() {
			return nil
		}
		inner := reflect.New(value.Elem().Type()).Elem()
		inner.Set(value.Elem())
		found, isObject := asJSON(inner, depth+1).(map[string]any)
		if !isObject {
			found = map[string]any{"all": asJSON(inner, depth+1)}
		}
		found["$go"] = inner.Type().String()
		return found
	case reflect.Struct:
		found := map[string]any{}
		for at := range value.NumField() {
			found[value.Type().Field(at).Name] = asJSON(value.Field(at), depth+1)
		}
		return found
	case reflect.Slice, reflect.Array:
		found := []any{}
		for at := range value.Len() {
			found = append(found, asJSON(value.Index(at), depth+1))
		}
		return found
	case reflect.Map:
		found := map[string]any{}
		for all := value.MapRange(); all.Next(); {
			inner := reflect.New(all.Value().Type()).Elem()
			inner.Set(all.Value())
			found[fmt.Sprint(all.Key())] = asJSON(inner, depth+1)
		}
		return found
	case reflect.String:
		return value.String()
	case reflect.Bool:
		return value.Bool()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return value.Int()
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return value.Uint()
	case reflect.Func:
		return nil
	}
	return value.String()
}

func typeAsJSON(known cty.Type) any {
	if known == cty.NilType {
		return nil
	}
	text, err := known.MarshalJSON()
	if err != nil {
		return map[string]any{"$type": known.GoString()}
	}
	return map[string]any{"$type": json.RawMessage(text)}
}

func valueAsJSON(known cty.Value) any {
	if known == cty.NilVal {
		return nil
	}
	if !known.IsWhollyKnown() {
		return map[string]any{"$unknown": known.GoString()}
	}
	text, err := ctyjson.Marshal(known, known.Type())
	if err != nil {
		return map[string]any{"$unknown": known.GoString()}
	}
	return map[string]any{"$value": json.RawMessage(text), "$of": typeAsJSON(known.Type())}
}
