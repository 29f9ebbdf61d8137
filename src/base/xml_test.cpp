#include "base/xml.h"

#include <gtest/gtest.h>

namespace cutaway {
namespace {

TEST(XmlText, EscapesMarkup) {
  EXPECT_EQ(xml_text("a <b> & \"c\" 'd' \xc3\xa9"), "a &lt;b&gt; &amp; &quot;c&quot; 'd' \xc3\xa9");
  EXPECT_EQ(xml_text("]]>"), "]]&gt;");
  EXPECT_EQ(xml_text("&lt;"), "&amp;lt;");
}

TEST(XmlText, ReplacesBytesThatAreNotUtf8) { EXPECT_EQ(xml_text("g\xff<"), "g\xef\xbf\xbd&lt;"); }

TEST(XmlText, ReplacesControlCharacters) { EXPECT_EQ(xml_text("a\x1b[2J\n\x7f"), "a [2J  "); }

}  // namespace
}  // namespace cutaway
