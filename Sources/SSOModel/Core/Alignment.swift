/// Aligns two sequences by their longest common subsequence, for steps that are shown side by side.
///
/// Each pair has the index of an element in `left` and in `right`, or `nil` on the side without a counterpart.
package func aligned<Element>(
  _ left: [Element], _ right: [Element], by isSame: (Element, Element) -> Bool
) -> [(left: Int?, right: Int?)] {
  // The lengths of the common subsequences of the remaining elements.
  var lengths = Array(repeating: Array(repeating: 0, count: right.count + 1), count: left.count + 1)
  for one in left.indices.reversed() {
    for other in right.indices.reversed() {
      lengths[one][other] =
        isSame(left[one], right[other])
        ? lengths[one + 1][other + 1] + 1 : max(lengths[one + 1][other], lengths[one][other + 1])
    }
  }
  var (one, other) = (0, 0)
  var pairs: [(left: Int?, right: Int?)] = []
  while one < left.count || other < right.count {
    if one < left.count, other < right.count, isSame(left[one], right[other]) {
      pairs.append((one, other))
      (one, other) = (one + 1, other + 1)
    } else if other == right.count || one < left.count && lengths[one + 1][other] >= lengths[one][other + 1] {
      pairs.append((one, nil))
      one += 1
    } else {
      pairs.append((nil, other))
      other += 1
    }
  }
  return pairs
}
